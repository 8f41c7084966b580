#include "sched/scheduler_state.h"

#include "sched/check.h"

namespace fairfs::sched {

Scheduler::State::State(const SchedulerConfig& config)
    : policy(config.policy),
      model(config.profile),
      depth(config.profile.depth),
      by_age(config.max_wait, config.profile) {
  FAIRFS_CHECK(config.profile.read.bytes_per_s > 0 && config.profile.write.bytes_per_s > 0);
  FAIRFS_CHECK(config.profile.parallelism > 0 && config.max_wait >= Duration::zero());
}

HeldRequest& Scheduler::State::held(RequestId id) {
  const auto index = static_cast<std::uint32_t>(id);
  FAIRFS_CHECK(index < requests.size() && requests[index].state != HeldRequest::State::unused);
  return requests[index];
}

void Scheduler::State::unlink(std::uint32_t index) {
  Flow& flow = flow_of(requests[index].flow);
  flow.queue.erase(requests, index);
  by_age.erase(requests, index);
  if (--flow.queued == 0) --backlogged_flows;
  --queued;
}

void Scheduler::State::refresh(std::uint32_t node) {
  if (policy == Policy::fair) tree.set_cost(node, flow_of(node).next_charge(requests, model));
}

Dispatch Scheduler::State::dispatch(std::uint32_t index, Time now, bool promoted) {
  HeldRequest& request = requests[index];
  Flow& flow = flow_of(request.flow);
  unlink(index);

  const std::uint64_t cost = flow.cost_of(request, model);
  const std::uint64_t instalment = flow.instalment(cost);
  flow.debt -= instalment;
  flow.device_time += Duration{static_cast<Duration::rep>(cost)};
  if (request.operation != Operation::sync) flow.positions.note(request.inode, request.offset + request.bytes);
  by_age.observe(cost);
  if (policy == Policy::fair) tree.serve(request.flow, cost + instalment, flow.next_charge(requests, model));

  request.state = HeldRequest::State::in_flight;
  ++flow.in_flight;
  ++in_flight;
  return {RequestId{index}, request.cookie, now - request.submitted, promoted};
}

}  // namespace fairfs::sched
