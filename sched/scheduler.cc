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
  state_->make_room_for_node(index_of(parent), false);
  return NodeId{state_->trees.add_group(index_of(parent), weight)};
}

NodeId Scheduler::add_flow(NodeId parent, Weight weight) {
  state_->make_room_for_node(index_of(parent), true);
  return NodeId{state_->trees.add_flow(index_of(parent), weight, state_->flows.add({}))};
}

void Scheduler::remove(NodeId node) {
  State& state = *state_;
  state.set_limits(index_of(node), {}, {});
  if (state.trees.is_blocked(index_of(node))) state.unblock(index_of(node));
  if (state.trees.is_flow(index_of(node))) {
    const std::uint32_t flow = state.trees.flow(index_of(node));
    FAIRFS_CHECK(state.flows[flow].queued == 0 && state.flows[flow].in_flight == 0);
    if (state.flows[flow].on_loan) state.end_loan(index_of(node));
    state.forget(index_of(node));
    // Who goes owing leaves it to the groups above, or programs that start one after the other would owe nothing.
    const std::uint64_t debt = state.flows[flow].debt + state.flows[flow].metadata.owed();
    if (debt != 0) state.trees.of(ServiceClass::best_effort).charge_above(index_of(node), debt);
    state.flows.release(flow);
  }
  state.trees.remove(index_of(node));
}

void Scheduler::set_weight(NodeId node, Weight weight) { state_->trees.set_weight(index_of(node), weight); }

void Scheduler::set_class(NodeId node, ServiceClass service) {
  State& state = *state_;
  if (state.flow_of(index_of(node)).on_loan) {
    if (service == ServiceClass::best_effort) return;
    state.end_loan(index_of(node));
  }
  state.set_class(index_of(node), service);
}

void Scheduler::set_limits(NodeId node, const Limits& limits, Time now) {
  state_->set_limits(index_of(node), limits, now);
}

RequestId Scheduler::submit(const Request& request, Time now) {
  State& state = *state_;
  const std::uint32_t node = index_of(request.flow);
  Flow& flow = state.flow_of(node);
  state.make_room_for_request(request.operation);
  state.end_hold(now);
  if (flow.metadata.owes()) state.settle_metadata(node, now);
  if (state.loans.on()) state.consider_loan(request, flow, now);
  const std::uint32_t index = state.enqueue(request, now);
  const std::uint64_t claim = flow.queued == 0 ? state.claim_of(node, now) : 0;
  flow.anticipation.submitted(flow.queued + flow.in_flight == 0, state.first_returns, now);
  ++state.queued;
  if (++flow.queued == 1) {
    ++state.backlogged_flows;
    flow.waits_since = now;
    state.refresh(node, claim);
    state.shorten_slices(node);
  } else if (flow.queue.front() == index) {
    state.refresh(node);
  }
  if (!state.slices.empty()) state.join(index);
  return RequestId{index};
}

// Where flows don't take turns it is work-conserving but for the write gate: it sleeps only without a request or
// without a slot, and time alone changes neither. An overdue request needs a slot too, so `until` stays kNever there: a
// wake-up at its deadline would find the same full disk.
Decision Scheduler::next(Time now) {
  State& state = *state_;
  if (state.queued == 0) return Sleep{Sleep::Reason::empty};
  if (state.policy == Policy::off) return state.dispatch(state.by_age.oldest(), now, false);
  if (state.all_limited(now)) return state.wait_for_ceilings();
  if (state.in_flight >= state.depth) return Sleep{Sleep::Reason::depth};
  if (const std::uint32_t sync = state.ready_sync(now); sync != kNoIndex) return state.dispatch(sync, now, false);
  if (state.exclusive) return state.next_turn(now);
  if (state.work.full(state.in_flight) && !state.host_next(now)) return Sleep{Sleep::Reason::depth};
  return state.next_shared(now);
}

void Scheduler::complete(RequestId id, Time now) {
  State& state = *state_;
  const HeldRequest& request = state.held(id);
  FAIRFS_CHECK(request.state == HeldRequest::State::in_flight);
  Flow& flow = state.flow_of(request.flow);
  --flow.in_flight;
  state.left_disk(request, now);
  if (state.exclusive) state.ended_while_held(request, flow, now);
  state.ended_beside(request, flow, now);
  state.ended_promised(request, now);
  --state.in_flight;
  if (flow.queued + flow.in_flight == 0) {
    flow.metadata.restart(now);
    flow.anticipation.completed(request.operation == Operation::sync || request.buffered, state.first_returns, now);
    if (!state.exclusive || !state.features.anticipation) flow.anticipation.stop();
  }
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

Duration Scheduler::charge_metadata(NodeId node, Duration blocked, Time now) {
  return state_->charge_metadata(index_of(node), blocked, now);
}

Duration Scheduler::metadata_delay(NodeId node, Time now) { return state_->metadata_delay(index_of(node), now); }

FlowService Scheduler::service(NodeId node) const {
  const Flow& flow = state_->flow_of(index_of(node));
  return {flow.device_time, flow.queued, flow.in_flight};
}

std::uint32_t Scheduler::in_flight() const { return state_->in_flight; }

std::uint32_t Scheduler::queued() const { return state_->queued; }

double Scheduler::slowness() const { return state_->correction.slowness(); }

void Scheduler::set_write_window(std::uint64_t bytes) { state_->gate.set_window(bytes); }

std::uint64_t Scheduler::write_piece(Time now) const { return state_->gate.piece(now); }

void Scheduler::set_depth(std::uint32_t depth) {
  FAIRFS_CHECK(depth >= 1 && depth <= kDepthMax);
  state_->depth = depth;
  state_->by_age.set_depth(depth);
  state_->correction.set_depth(depth);
}

}  // namespace fairfs::sched
