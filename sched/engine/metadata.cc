// Look-ups that went to the disk unasked: charged, and paid for by the flow's next ones.
#include "sched/engine/engine_state.h"

namespace fairfs::engine {

void Engine::charge_metadata(const Caller& caller, sched::Duration blocked) {
  const FlowRef flow = state_->callers.flow_of(caller, clock_coarse());
  const std::lock_guard lock{state_->mutex};
  if (!flow->in_tree) return;
  const sched::Duration owed = state_->scheduler.charge_metadata(flow->node, blocked, clock_now());
  state_->flows.set_owes(*flow, owed > sched::Duration{});
}

sched::Duration Engine::metadata_delay(const Caller& caller) {
  if (state_->flows.debtors() == 0) return {};
  const FlowRef flow = state_->callers.flow_of(caller, clock_coarse());
  if (!flow->owes.load(std::memory_order_relaxed)) return {};
  const std::lock_guard lock{state_->mutex};
  if (!flow->in_tree) return {};
  const sched::Duration delay = state_->scheduler.metadata_delay(flow->node, clock_now());
  state_->flows.set_owes(*flow, delay > sched::Duration{});
  return delay;
}

}  // namespace fairfs::engine
