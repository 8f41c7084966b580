#include "sched/engine/flow.h"

#include <algorithm>

namespace fairfs::engine {

void Flow::submitted(sched::Time now) {
  make_counters();
  if (!busy()) active_since = now;
  if (queued++ == 0) backlogged_since = now;
  see(now);
}

void Flow::dispatched(sched::Duration waited, sched::Time now) {
  ++in_flight;
  counters->starved += starved(now);
  last_dispatch = now;
  queue_shrank(now);
  counters->wait.add(waited);
}

void Flow::cancelled(sched::Time now) {
  if (queued == 1) counters->starved += starved(now);
  queue_shrank(now);
  work_shrank(now);
}

void Flow::completed(sched::Operation operation, ssize_t result, sched::Duration service, sched::Time now) {
  const std::uint64_t bytes = result > 0 ? static_cast<std::uint64_t>(result) : 0;
  switch (operation) {
    case sched::Operation::read:
      ++counters->reads;
      counters->read_bytes += bytes;
      break;
    case sched::Operation::write:
      ++counters->writes;
      counters->write_bytes += bytes;
      break;
    case sched::Operation::sync:
      ++counters->syncs;
      break;
  }
  served(service, now);
}

void Flow::written_behind(ssize_t result, sched::Duration service, sched::Time now) {
  counters->written_behind += result > 0 ? static_cast<std::uint64_t>(result) : 0;
  served(service, now);
}

void Flow::served(sched::Duration service, sched::Time now) {
  counters->service.add(service);
  --in_flight;
  work_shrank(now);
  see(now);
}

sched::FlowCounters Flow::counted(sched::Time now) const {
  sched::FlowCounters sum = counters ? *counters : sched::FlowCounters{};
  if (queued != 0) {
    sum.backlogged += now - backlogged_since;
    sum.starved += starved(now);
  }
  if (busy()) sum.active += now - active_since;
  sum.cached = cached.load(std::memory_order_relaxed);
  sum.reads += sum.cached;
  sum.read_bytes += cached_bytes.load(std::memory_order_relaxed);
  sum.writes += buffered_writes.load(std::memory_order_relaxed);
  sum.write_bytes += buffered_bytes.load(std::memory_order_relaxed);
  sum.throttled = sched::Duration{throttled.load(std::memory_order_relaxed)};
  sum.metadata = metadata.load(std::memory_order_relaxed);
  return sum;
}

/// Since the last start, or since it has had something to start; while something is queued.
sched::Duration Flow::starved(sched::Time now) const {
  const sched::Duration waited = now - std::max(backlogged_since, last_dispatch);
  return std::max(waited - kStarved, sched::Duration{});
}

void Flow::queue_shrank(sched::Time now) {
  if (--queued == 0) counters->backlogged += now - backlogged_since;
}

void Flow::work_shrank(sched::Time now) {
  if (!busy()) counters->active += now - active_since;
}

}  // namespace fairfs::engine
