#include "sched/injection.h"

#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

// One request at a time, of a flow that goes by tags and not by turns: a stream would leave its place for nothing.
bool Scheduler::State::may_inject(std::uint32_t awaited, std::uint32_t node, Time now) {
  if (!features.injection || in_flight != 0 || has_turns(node)) return false;
  const Flow& flow = flow_of(awaited);
  const Flow& candidate = flow_of(node);
  const HeldRequest& head = requests[candidate.queue.front()];
  if (flow.service != candidate.service || head.operation == Operation::sync || head.buffered) return false;
  if (candidate.debt != 0 || candidate.metadata.owes() || is_promised(awaited)) return false;
  if (flow.anticipation.state() != Anticipation::State::awaiting_request) return false;
  // Of several heads the flow's next request needs the one that is busy with a chance of one in so many.
  const std::int64_t heads = metadata_at_once;
  const std::uint64_t cost = Flow::cost_of(head, candidate.continues(head), model);
  const Duration left = std::max(flow.anticipation.think().mean() - flow.anticipation.away(now), Duration::zero());
  Duration longer = std::max(Duration{static_cast<Duration::rep>(cost)} * heads - left, Duration::zero()) / heads;
  if (!flow.seekiness.seeky()) longer += lengths.switch_cost();  // the head has to come back
  return flow.injection.admits(longer, now);
}

// The flow that the disk is held for pays for the time, as if it stood still; the other one has it for nothing.
Dispatch Scheduler::State::inject(std::uint32_t awaited, std::uint32_t node, Time now) {
  held_for = awaited;
  held_since = now;
  flow_of(awaited).injection.injected();
  injecting = true;
  const Dispatch dispatched = dispatch(flow_of(node).queue.front(), now, false);
  injecting = false;
  ++injected;
  return dispatched;
}

void Scheduler::State::started_while_held(HeldRequest& request, Flow& flow) {
  request.injected = injecting;
  if (injecting) return;
  request.met = flow.injection.started();
  request.by_itself = in_flight == injected;
}

void Scheduler::State::ended_while_held(const HeldRequest& request, Flow& flow, Time now) {
  if (request.injected) {
    --injected;
  } else if (request.by_itself && request.operation == Operation::read) {
    flow.injection.ended(now - request.started(), request.met, now);
  }
}

}  // namespace fairfs::sched
