#include "sched/scheduler.h"

#include "sched/check.h"
#include "sched/scheduler_state.h"

namespace fairfs::sched {
namespace {

constexpr std::uint32_t kDepthMax = 1024;
/// A debt stops growing here (about 100 days of device time): a caller's mistake must not overflow the sum.
constexpr std::uint64_t kDebtMax = std::uint64_t{1} << 53;

constexpr std::uint32_t index_of(NodeId id) { return static_cast<std::uint32_t>(id); }

}  // namespace

Scheduler::Scheduler(const SchedulerConfig& config) : state_(std::make_unique<State>(config)) {
  set_depth(config.profile.depth);
}

Scheduler::~Scheduler() = default;

NodeId Scheduler::add_group(NodeId parent, Weight weight) {
  return NodeId{state_->tree.add_group(index_of(parent), weight)};
}

NodeId Scheduler::add_flow(NodeId parent, Weight weight) {
  return NodeId{state_->tree.add_flow(index_of(parent), weight, state_->flows.add({}))};
}

void Scheduler::remove(NodeId node) {
  State& state = *state_;
  if (state.tree.is_flow(index_of(node))) {
    const std::uint32_t flow = state.tree.flow(index_of(node));
    FAIRFS_CHECK(state.flows[flow].queued == 0 && state.flows[flow].in_flight == 0);
    state.flows.release(flow);
  }
  state.tree.remove(index_of(node));
}

void Scheduler::set_weight(NodeId node, Weight weight) { state_->tree.set_weight(index_of(node), weight); }

RequestId Scheduler::submit(const Request& request, Time now) {
  State& state = *state_;
  const std::uint32_t node = index_of(request.flow);
  Flow& flow = state.flow_of(node);
  HeldRequest held;
  held.inode = request.inode;
  held.offset = request.offset;
  held.bytes = request.bytes;
  held.cookie = request.cookie;
  held.submitted = now;
  held.flow = node;
  held.operation = request.operation;
  held.state = HeldRequest::State::queued;
  const std::uint32_t index = state.requests.add(held);

  flow.queue.push_back(state.requests, index);
  if (request.bounded_wait || state.policy == Policy::off) state.by_age.push(state.requests, index);
  ++state.queued;
  if (++flow.queued == 1) {
    ++state.backlogged_flows;
    state.refresh(node);
  }
  return RequestId{index};
}

// Work-conserving: it sleeps only without a request or without a slot, and time alone changes neither. An overdue
// request needs a slot too, so `until` stays kNever: a wake-up at its deadline would find the same full disk.
Decision Scheduler::next(Time now) {
  State& state = *state_;
  if (state.queued == 0) return Sleep{Sleep::Reason::empty};
  if (state.policy == Policy::off) return state.dispatch(state.by_age.oldest(), now, false);
  if (state.in_flight >= state.depth) return Sleep{Sleep::Reason::depth};
  if (state.by_age.overdue(state.requests, state.backlogged_flows, now)) {
    return state.dispatch(state.by_age.oldest(), now, true);
  }
  return state.dispatch(state.flow_of(state.tree.best()).queue.front(), now, false);
}

void Scheduler::complete(RequestId id, Time) {
  State& state = *state_;
  const HeldRequest& request = state.held(id);
  FAIRFS_CHECK(request.state == HeldRequest::State::in_flight);
  --state.flow_of(request.flow).in_flight;
  --state.in_flight;
  state.requests.release(static_cast<std::uint32_t>(id));
}

bool Scheduler::cancel(RequestId id, Time) {
  State& state = *state_;
  const HeldRequest& request = state.held(id);
  if (request.state == HeldRequest::State::in_flight) return false;
  const std::uint32_t node = request.flow;
  state.unlink(static_cast<std::uint32_t>(id));
  state.requests.release(static_cast<std::uint32_t>(id));
  state.refresh(node);
  return true;
}

void Scheduler::charge(NodeId node, Duration device_time, Time) {
  FAIRFS_CHECK(device_time >= Duration::zero());
  State& state = *state_;
  Flow& flow = state.flow_of(index_of(node));
  flow.debt = std::min(flow.debt + static_cast<std::uint64_t>(device_time.count()), kDebtMax);
  flow.device_time += device_time;
  state.refresh(index_of(node));
}

FlowService Scheduler::service(NodeId node) const {
  const Flow& flow = state_->flow_of(index_of(node));
  return {flow.device_time, flow.queued, flow.in_flight};
}

std::uint32_t Scheduler::in_flight() const { return state_->in_flight; }

std::uint32_t Scheduler::queued() const { return state_->queued; }

void Scheduler::set_depth(std::uint32_t depth) {
  FAIRFS_CHECK(depth >= 1 && depth <= kDepthMax);
  state_->depth = depth;
  state_->by_age.set_depth(depth);
}

}  // namespace fairfs::sched
