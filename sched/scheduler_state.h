// The parts of a Scheduler and the steps they share.
#pragma once

#include <cstdint>

#include "sched/cost.h"
#include "sched/deadline_queue.h"
#include "sched/flow.h"
#include "sched/request_list.h"
#include "sched/scheduler.h"
#include "sched/tree.h"

namespace fairfs::sched {

struct Scheduler::State {
  explicit State(const SchedulerConfig& config);

  Policy policy;
  CostModel model;
  std::uint32_t depth;
  Tree tree;
  Slab<Flow> flows;
  Requests requests;
  /// Requests that a deadline applies to; with Policy::off all of them, in order of arrival.
  DeadlineQueue by_age;
  std::uint32_t queued = 0, in_flight = 0, backlogged_flows = 0;

  [[nodiscard]] Flow& flow_of(std::uint32_t node) { return flows[tree.flow(node)]; }
  [[nodiscard]] HeldRequest& held(RequestId id);
  /// Takes a queued request out of its queues. The tree isn't told.
  void unlink(std::uint32_t index);
  /// Tells the tree what the flow's next request costs, after its queue or its debt changed.
  void refresh(std::uint32_t node);
  Dispatch dispatch(std::uint32_t index, Time now, bool promoted);
};

}  // namespace fairfs::sched
