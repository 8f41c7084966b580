// A node that was promised a latency: how much others may have in the disk so that the promise is kept.
#pragma once

#include <cstdint>

#include "sched/constants.h"
#include "sched/types.h"

namespace fairfs::sched {

/// Looks at 64 requests of the node at a time, from submit to end. More than 5 of 100 over the target: half as many of
/// the others' requests at once; fewer than 2 of 100 while the others used what they were allowed: one more. (iocost's
/// vrate and io.latency's depth do the same with their own steps.)
class LatencyGuard {
 public:
  /// `depth`: what the others have at most.
  LatencyGuard(Duration target, std::uint32_t depth) : target_(target), allowed_(depth), depth_(depth) {}

  void set_target(Duration target) { target_ = target; }
  /// A request of the node has ended; `full`: the others had as many in the disk as they were allowed.
  void ended(Duration took, bool full, Time now);

  /// Others' requests at once, 1..depth; the depth while the node does nothing.
  [[nodiscard]] std::uint32_t allowed(Time now) const { return now - last_ < kLatencyIdle ? allowed_ : depth_; }

 private:
  Duration target_;
  std::uint32_t allowed_, depth_;
  std::uint32_t samples_ = 0, over_ = 0;
  bool full_ = false;
  bool raised_ = false;                    // since the last look
  std::uint32_t good_ = 0, patience_ = 1;  // looks without a complaint, and how many of them until the next trial
  Time last_ = Time{} - kLatencyIdle;
};

}  // namespace fairfs::sched
