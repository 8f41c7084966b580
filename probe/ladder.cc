#include "probe/ladder.h"

#include <algorithm>
#include <vector>

#include "probe/trial.h"

namespace fairfs::probe {
namespace {

/// Slots beyond the knee buy nothing but waiting; those below it cost throughput, and a scheduler may cost 5 % of it.
constexpr double kKneePart = 0.96;
/// Two doublings that gain less than this together are noise, or a queue that only sorts.
constexpr double kGainLeast = 1.04;
/// Depths that are tried in any case, on a disk with heads more: sorting gains little with each doubling, and few seeks
/// make much noise.
constexpr std::uint32_t kTopLeast = 4, kTopLeastSlow = 16;

}  // namespace

// Pool adjacent violators: a depth that is slower than the one before it is averaged with it, and so on backwards.
std::map<std::uint32_t, double> Ladder::smooth() const {
  struct Pool {
    double mean;
    int count;
  };
  std::vector<Pool> pools;
  for (const auto& [depth, rate] : rates_) {
    pools.push_back({rate, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean > pools.back().mean) {
      const Pool last = pools.back();
      pools.pop_back();
      Pool& pool = pools.back();
      pool.mean = (pool.mean * pool.count + last.mean * last.count) / (pool.count + last.count);
      pool.count += last.count;
    }
  }
  std::map<std::uint32_t, double> result;
  auto at = rates_.begin();
  for (const Pool& pool : pools) {
    for (int i = 0; i < pool.count; ++i) result[(at++)->first] = pool.mean;
  }
  return result;
}

std::optional<std::uint32_t> Ladder::next() const {
  if (rates_.empty()) return 1;
  const auto between = [](const auto& at) { return (at.first & (at.first - 1)) != 0; };
  if (std::any_of(rates_.begin(), rates_.end(), between)) return std::nullopt;
  const std::uint32_t top = rates_.rbegin()->first;
  const std::uint32_t least = rates_.begin()->second < kSlowRate ? kTopLeastSlow : kTopLeast;
  if (top < least) return top * 2;
  const auto rates = smooth();
  const bool flat = rates.at(top) < rates.at(top / 4) * kGainLeast;
  if (!flat && top < kDepthMax) return top * 2;
  return knee() >= 4 ? std::optional{knee() / 4 * 3} : std::nullopt;
}

std::uint32_t Ladder::best() const {
  const auto most = std::max_element(rates_.begin(), rates_.end(),
                                     [](const auto& left, const auto& right) { return left.second < right.second; });
  return most == rates_.end() ? 1 : most->first;
}

std::uint32_t Ladder::knee() const {
  if (rates_.empty()) return 1;
  const auto rates = smooth();
  const double enough = rates.rbegin()->second * kKneePart;
  return std::find_if(rates.begin(), rates.end(), [&](const auto& at) { return at.second >= enough; })->first;
}

}  // namespace fairfs::probe
