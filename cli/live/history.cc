#include "cli/live/history.h"

#include <algorithm>

namespace fairfs::cli {
namespace {

constexpr auto kLength = static_cast<std::int64_t>(LiveHistory::kSeconds);

std::int64_t second_of(sched::Time now) {
  return std::chrono::duration_cast<std::chrono::seconds>(now.time_since_epoch()).count();
}

/// In the first minute after boot the seconds of the minute before are negative.
std::size_t place_of(std::int64_t second) { return static_cast<std::size_t>((second % kLength + kLength) % kLength); }

}  // namespace

void LiveHistory::add(const std::string& id, double share, sched::Time now) {
  const std::int64_t second = second_of(now);
  const auto [found, is_new] = series_.try_emplace(id);
  Series& series = found->second;
  if (is_new) series.last = second - 1;
  // A reading speaks for all seconds since the one before; what is over a minute old is written over.
  for (std::int64_t at = std::max(series.last + 1, second - kLength + 1); at <= second; ++at) {
    series.shares[place_of(at)] = static_cast<float>(share);
  }
  // Two readings in one second: the newer one counts.
  if (series.last == second) series.shares[place_of(second)] = static_cast<float>(share);
  series.last = std::max(series.last, second);
}

void LiveHistory::expire(sched::Time now) {
  const std::int64_t second = second_of(now);
  std::erase_if(series_, [&](const auto& entry) { return second - entry.second.last >= kLength; });
}

std::vector<double> LiveHistory::shares(const std::string& id, std::size_t columns, sched::Time now) const {
  std::vector<double> result(columns, 0.0);
  const auto found = series_.find(id);
  if (found == series_.end() || columns == 0) return result;
  const Series& series = found->second;
  const std::int64_t newest = second_of(now);
  std::vector<std::size_t> seconds(columns, 0);
  for (std::size_t i = 0; i < kSeconds; ++i) {
    const std::int64_t second = newest - kLength + 1 + static_cast<std::int64_t>(i);
    const std::size_t column = i * columns / kSeconds;
    ++seconds[column];
    if (second <= series.last && second > series.last - kLength) result[column] += series.shares[place_of(second)];
  }
  for (std::size_t i = 0; i < columns; ++i) {
    if (seconds[i] != 0) result[i] /= static_cast<double>(seconds[i]);
  }
  return result;
}

}  // namespace fairfs::cli
