#include "probe/ladder.h"

#include <algorithm>

#include "probe/trial.h"

namespace fairfs::probe {
namespace {

/// Slots beyond the knee buy nothing but waiting; those below it cost throughput, and a scheduler may cost 5 % of it.
constexpr double kKneePart = 0.96;
/// Two doublings that gain less than this together are noise, or a queue that only sorts.
constexpr double kGainLeast = 1.04;

}  // namespace

double Ladder::rate(std::uint32_t depth) const {
  const auto found = rates_.find(depth);
  return found == rates_.end() ? 0 : found->second;
}

std::optional<std::uint32_t> Ladder::next() const {
  if (rates_.empty()) return 1;
  const auto between = [](const auto& at) { return (at.first & (at.first - 1)) != 0; };
  if (std::any_of(rates_.begin(), rates_.end(), between)) return std::nullopt;
  std::uint32_t top = 1;
  while (rates_.contains(top * 2)) top *= 2;
  const double gained = std::max(rate(top), rate(top / 2));
  const bool flat = top >= 4 && gained < rate(top / 4) * kGainLeast;
  if (!flat && top < kDepthMax) return top * 2;
  return knee() >= 4 ? std::optional{knee() / 4 * 3} : std::nullopt;
}

std::uint32_t Ladder::best() const {
  const auto most = std::max_element(rates_.begin(), rates_.end(),
                                     [](const auto& left, const auto& right) { return left.second < right.second; });
  return most == rates_.end() ? 1 : most->first;
}

std::uint32_t Ladder::knee() const {
  const double enough = rate(best()) * kKneePart;
  const auto found = std::find_if(rates_.begin(), rates_.end(), [&](const auto& at) { return at.second >= enough; });
  return found == rates_.end() ? 1 : found->first;
}

}  // namespace fairfs::probe
