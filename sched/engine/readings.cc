// What the outside sees: snapshots.
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {
// Flows read under one hold of the mutex: a reading copies 2 KiB of histograms, so 32 take about 10 us.
constexpr std::size_t kBatch = 32;
}  // namespace

Snapshot Engine::State::read() const {
  Snapshot snapshot;
  std::vector<std::shared_ptr<Flow>> all;
  const pid_t own = ::getpid();
  std::vector<std::int32_t> parents;  // a flow's parent is for life
  {
    const std::lock_guard lock{mutex};
    const sched::Time now = clock_now();
    snapshot.taken = now;
    snapshot.depth = config.scheduler.profile.depth;
    snapshot.in_flight = in_flight;
    snapshot.queued = queued;
    snapshot.slowness = scheduler.slowness();
    snapshot.device_busy = device_busy + (in_flight != 0 ? now - busy_since : sched::Duration{});
    snapshot.device_time = flows.device_time_expired();
    snapshot.decisions = decisions;
    snapshot.decision_time = decision_time;
    all = flows.flows();
    snapshot.groups = flows.read_groups();
    parents.reserve(all.size());
    for (const auto& flow : all) parents.push_back(flow->parent != nullptr ? flow->parent->place : -1);
  }
  snapshot.flows.reserve(all.size());
  for (std::size_t i = 0; i < all.size();) {
    const std::lock_guard lock{mutex};
    const sched::Time now = clock_now();
    for (const std::size_t end = std::min(all.size(), i + kBatch); i < end; ++i) {
      if (!all[i]->in_tree || (all[i]->process.pid == own && !all[i]->counters)) continue;
      snapshot.flows.push_back(read(*all[i], now));
      snapshot.flows.back().group = parents[i];
      snapshot.device_time += snapshot.flows.back().counters.device_time;
    }
  }
  for (FlowReading& flow : snapshot.flows) flow.ended = flow.pid != 0 && !processes.exists(flow.pid);
  return snapshot;
}

FlowReading Engine::State::read(const Flow& flow, sched::Time now) const {
  FlowReading reading;
  reading.key = flow.key;
  reading.name = flow.name;
  if (!flow.shared) {
    reading.command = flow.process.command;
    reading.pid = flow.process.pid;
    reading.cgroup = flow.process.cgroup;
  }
  reading.uid = flow.process.uid;
  reading.weight = flow.weight;
  reading.service = flow.service;
  reading.overridden = flow.overridden;
  reading.share_due = flow.share_due;
  reading.queued = flow.queued;
  reading.in_flight = flow.in_flight;
  reading.dirty_bytes = flow.dirty.load(std::memory_order_relaxed);
  reading.writing_bytes = flow.writing.load(std::memory_order_relaxed);
  reading.counters = flow.counted(now);
  reading.counters.device_time = scheduler.service(flow.node).device_time;
  return reading;
}

Snapshot Engine::snapshot() const { return state_->read(); }

std::pair<SharedSnapshot, SharedSnapshot> Engine::last_second() const {
  SharedSnapshot start, end;
  {
    const std::lock_guard lock{state_->mutex};
    end = state_->second_end;
    start = state_->second_start ? state_->second_start : end;
  }
  if (!end) start = end = std::make_shared<const Snapshot>(snapshot());
  return {start, end};
}

}  // namespace fairfs::engine
