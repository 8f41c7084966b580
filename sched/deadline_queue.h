// Requests that must not wait for ever, oldest first, and how long they may wait.
#pragma once

#include <cstdint>

#include "sched/disk_profile.h"
#include "sched/request_list.h"
#include "sched/types.h"

namespace fairfs::sched {

/// The limit is `max_wait`, or two rounds of the schedule if that is longer: with so many flows busy that each one's
/// turn takes longer than max_wait, every request would be overdue and the weights would stop counting. A round is the
/// time to give each backlogged flow one request: flows * mean cost (costs are the whole disk's), longer by
/// parallelism / depth where the depth is too small to keep the disk busy.
class DeadlineQueue {
 public:
  DeadlineQueue(Duration max_wait, const DiskProfile& profile);

  [[nodiscard]] bool empty() const { return list_.empty(); }
  [[nodiscard]] std::uint32_t oldest() const { return list_.front(); }
  void push(Requests& requests, std::uint32_t index);
  void erase(Requests& requests, std::uint32_t index);

  /// A request was charged `cost` ns: moves the mean.
  void observe(std::uint64_t cost);
  void set_depth(std::uint32_t depth) { depth_ = depth; }
  /// Where flows take turns, a round gives each flow a turn of at least this.
  void set_turn(Duration turn) { turn_ = turn; }
  /// Whether the oldest has waited longer than the limit. False when there is none.
  [[nodiscard]] bool overdue(const Requests& requests, std::uint32_t backlogged_flows, Time now) const;
  /// When that will be, should nothing change; kNever when there is none.
  [[nodiscard]] Time due(const Requests& requests, std::uint32_t backlogged_flows) const;
  [[nodiscard]] Duration round(std::uint32_t backlogged_flows) const;

 private:
  RequestList<&HeldRequest::by_age> list_;
  Duration max_wait_;
  std::uint64_t parallelism_fixed_;  // with kFixedPoint as one
  std::uint32_t depth_;
  Duration turn_{};
  std::uint64_t mean_sum_ = 0;  // mean cost * kMeanOver, ns
};

}  // namespace fairfs::sched
