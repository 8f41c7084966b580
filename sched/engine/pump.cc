// The pump: decide under the mutex, act outside it.
#include <array>
#include <cstddef>
#include <span>
#include <utility>
#include <variant>

#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {
// Blocks for the disk that one system call takes: as many as one drain of the kernel's queue brings.
constexpr std::size_t kBatch = 256;
}  // namespace

void Engine::State::enqueue(std::unique_ptr<Job>&& job) {
  auto pending = std::make_unique<Pending>();
  pending->flow = job->flow ? job->flow : callers.flow_of(job->caller, clock_coarse());
  for (;;) {
    {
      const std::lock_guard lock{mutex};
      const sched::Time now = clock_now();
      if (pending->flow->in_tree) {
        const Job& what = *job;
        pending->flow->make_counters();
        pending->id = scheduler.submit({.flow = pending->flow->node,
                                        .operation = what.operation,
                                        .inode = what.inode,
                                        .offset = what.offset,
                                        .bytes = what.bytes,
                                        .bounded_wait = what.bounded_wait,
                                        .buffered = what.buffered,
                                        .cookie = reinterpret_cast<std::uintptr_t>(pending.get())},
                                       now);
        // From here on nothing fails; before, nothing was counted.
        pending->job = std::move(job);
        pending->submitted = now;
        pending->flow->submitted(now);
        ++unfinished;
        ++queued;
        queue.push(*pending.release());
        return;
      }
    }
    // This thread stood still for seconds between the look-up and here, and its flow expired.
    pending->flow = callers.look_up(job->caller, clock_coarse());
  }
}

void Engine::State::advance(PendingQueue ended, bool may_run) noexcept {
  for (;;) {
    Pending* const mine = launch(step(ended), may_run);
    finish(ended);
    if (mine == nullptr) return;
    mine->result = mine->job->run();
    ended.push(*mine);
  }
}

Engine::State::Started Engine::State::step(const PendingQueue& ended) {
  Started started;
  const std::lock_guard lock{mutex};
  const sched::Time now = clock_now();
  for (Pending* pending = ended.first(); pending != nullptr; pending = pending->next) complete(*pending, now);
  write_piece.store(scheduler.write_piece(now), std::memory_order_relaxed);
  if (held) return started;
  collect(started, now);
  if (!started.pending.empty()) {
    decisions += started.pending.size();
    decision_time += clock_now() - now;  // two looks at the clock for the whole batch
    started.alone = in_flight == 1 && queued == 0;
  }
  return started;
}

void Engine::State::collect(Started& started, sched::Time now) {
  while (queued != 0) {
    const sched::Decision decision = scheduler.next(now);
    if (const auto* sleep = std::get_if<sched::Sleep>(&decision)) {
      wake_at = sleep->until;
      if (wake_at < house_wakes_at) house_wanted.notify_one();
      return;
    }
    const auto& dispatch = std::get<sched::Dispatch>(decision);
    auto* const pending = reinterpret_cast<Pending*>(static_cast<std::uintptr_t>(dispatch.cookie));
    queue.remove(*pending);
    --queued;
    pending->reason = reason_of(dispatch.promoted);
    if (in_flight++ == 0) busy_since = now;
    pending->dispatched = now;
    pending->flow->dispatched(dispatch.waited, now);
    started.pending.push(*pending);
  }
  wake_at = sched::kNever;
}

TraceReason Engine::State::reason_of(bool promoted) const {
  if (config.scheduler.policy == sched::Policy::off) return TraceReason::unscheduled;
  if (promoted) return TraceReason::deadline;
  return queued == 0 && in_flight == 0 ? TraceReason::alone : TraceReason::share;
}

void Engine::State::complete(Pending& pending, sched::Time now) {
  scheduler.complete(pending.id, now);
  const Job& job = *pending.job;
  const sched::Duration service = now - pending.dispatched;
  if (job.buffered)
    pending.flow->written_behind(pending.result, service, now);
  else
    pending.flow->completed(job.operation, pending.result, service, now);
  if (job.operation == sched::Operation::sync)
    pending.flow->synced(now - (job.since != sched::Time{} ? job.since : pending.submitted));
  if (!traces.empty()) trace(pending, now);
  if (--in_flight == 0) device_busy += now - busy_since;
}

Pending* Engine::State::launch(Started&& started, bool may_run) {
  // Alone there is nothing to overlap with: handing over to the disk's thread and back costs 15 % at depth 1.
  if (may_run && started.alone) return &started.pending.pop();
  std::array<iocb*, kBatch> blocks;
  std::size_t count = 0;
  PendingQueue blocking;
  while (!started.pending.empty()) {
    Pending& pending = started.pending.pop();
    if (!disk.available() || !pending.job->prepare(pending.block)) {
      blocking.push(pending);
      continue;
    }
    pending.block.data = &pending;
    blocks[count++] = &pending.block;
    if (count == blocks.size()) start({blocks.data(), std::exchange(count, 0)}, blocking);
  }
  if (count != 0) start({blocks.data(), count}, blocking);
  Pending* const mine = may_run && !blocking.empty() ? &blocking.pop() : nullptr;
  executor.post(std::move(blocking));
  return mine;
}

void Engine::State::start(std::span<iocb*> blocks, PendingQueue& refused) {
  for (iocb* const block : blocks.first(disk.start(blocks))) refused.push(*static_cast<Pending*>(block->data));
}

void Engine::State::finish(PendingQueue& ended) {
  while (!ended.empty()) {
    Pending* const pending = &ended.pop();
    pending->job->finish(pending->result);
    delete pending;
    if (unfinished.fetch_sub(1) == 1 && drainers != 0) {
      const std::lock_guard lock{drain_mutex};
      drained.notify_all();
    }
  }
}

}  // namespace fairfs::engine
