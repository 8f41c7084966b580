// How long one head really took for random requests, against what they were charged.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sched/constants.h"
#include "sched/types.h"
#include "sched/virtual_time.h"

namespace fairfs::sched {

/// A head serves one request after the other: what ends now had it since the last end, or since it came if the disk was
/// empty. The model charges each random request the same, but a head sorts what it finds queued: of a flow that keeps
/// much in the disk each takes less. Known only where a single head does all the work, and not while a cache that has
/// taken writes puts them away.
class HeadTime {
 public:
  explicit HeadTime(bool on) : on_(on) {}

  [[nodiscard]] bool on() const { return on_; }
  /// A request that was sent at `started` ends; how long the head had for it.
  Duration ended(Time started, Time now) {
    return std::max(now - std::max(started, std::exchange(last_end_, now)), Duration::zero());
  }
  /// A write that a cache takes ended: what it takes of the head comes later.
  void cached(Time now) { cache_until_ = now + kCacheEmpties; }
  [[nodiscard]] bool disturbed(Time now) const { return now < cache_until_; }

 private:
  bool on_;
  Time last_end_{}, cache_until_{};
};

/// One flow's: what its requests took beyond what they were charged (less: negative), to be settled with its next ones.
class Unsettled {
 public:
  void add(Duration took, std::uint64_t charged) {
    const std::int64_t most = kServiceMax.count();
    difference_ = std::clamp(difference_ + std::min<std::int64_t>(took.count(), most) -
                                 static_cast<std::int64_t>(std::min(charged, kCostMax)),
                             -most, most);
  }
  /// What a request of `cost` is charged: a quarter to four times of it, so that no single one moves the flow far.
  [[nodiscard]] std::uint64_t charge(std::uint64_t cost) const {
    const auto own = static_cast<std::int64_t>(cost);
    const std::int64_t least = std::max<std::int64_t>(own / kMost, 1);
    return static_cast<std::uint64_t>(std::clamp(own + difference_, least, own * kMost));
  }
  /// A request of `cost` was charged that.
  void settle(std::uint64_t cost) {
    difference_ -= static_cast<std::int64_t>(charge(cost)) - static_cast<std::int64_t>(cost);
  }

 private:
  static constexpr std::int64_t kMost = 4;

  std::int64_t difference_ = 0;  // ns
};

}  // namespace fairfs::sched
