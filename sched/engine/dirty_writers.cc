// What write-behind needs of the engine: whose bytes are dirty, and how flows share the disk.
#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {
constexpr auto kRelaxed = std::memory_order_relaxed;
}

FlowRef Engine::flow_of(const Caller& caller) { return state_->callers.flow_of(caller, clock_coarse()); }

FlowRef Engine::count_write(const Caller& caller, std::uint64_t bytes) {
  const sched::Time now = clock_coarse();
  FlowRef flow = state_->callers.flow_of(caller, now);
  flow->buffered_writes.fetch_add(1, kRelaxed);
  flow->buffered_bytes.fetch_add(bytes, kRelaxed);
  flow->see(now);
  return flow;
}

std::vector<double> Engine::shares_among(std::span<const FlowRef> flows) const {
  std::vector<Flow*> plain;
  plain.reserve(flows.size());
  for (const FlowRef& flow : flows) plain.push_back(flow.get());
  const std::lock_guard lock{state_->mutex};
  return state_->flows.shares_among(plain);
}

void Engine::set_dirty(const FlowRef& flow, std::uint64_t dirty, std::uint64_t writing) {
  flow->dirty.store(dirty, kRelaxed);
  flow->writing.store(writing, kRelaxed);
}

void Engine::count_throttled(const FlowRef& flow, sched::Duration waited) {
  flow->throttled.fetch_add(waited.count(), kRelaxed);
}

void Engine::set_write_window(std::uint64_t bytes) {
  const std::lock_guard lock{state_->mutex};
  state_->scheduler.set_write_window(bytes);
  state_->write_piece.store(state_->scheduler.write_piece(clock_now()), kRelaxed);
}

std::uint64_t Engine::write_piece() const noexcept { return state_->write_piece.load(kRelaxed); }

const sched::SchedulerConfig& Engine::scheduler_config() const { return state_->config.scheduler; }

}  // namespace fairfs::engine
