#include "sched/head_time.h"

#include "sched/scheduler_state.h"

namespace fairfs::sched {

// A stream's switch is charged to nobody, so only what is charged as random is measured.
void Scheduler::State::measure_head(const HeldRequest& request, Time now) {
  const Duration took = head.ended(request.started(), now);
  if (request.operation == Operation::sync) return;
  if (!interleaving.takes_turns(request.operation)) return head.cached(now);
  if (request.sequential || request.buffered || request.injected || head.disturbed(now)) return;
  flow_of(request.flow).unsettled.add(took, request.cost());
  refresh(request.flow);
}

}  // namespace fairfs::sched
