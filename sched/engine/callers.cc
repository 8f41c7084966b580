#include "sched/engine/callers.h"

namespace fairfs::engine {

std::shared_ptr<Flow> Callers::flow_of(const Caller& caller, sched::Time now) {
  {
    Shard& shard = shard_of(caller.thread);
    const std::lock_guard lock{shard.mutex};
    if (const Entry* entry = shard.find(caller.thread, now)) return entry->flow;
  }
  return look_up(caller, now);
}

std::shared_ptr<Flow> Callers::look_up(const Caller& caller, sched::Time now) {
  const std::shared_ptr<const Placer> placer = this->placer();
  Process process = processes_.find(caller.thread);
  if (process.kind != Process::Kind::process) {
    process.uid = caller.uid;
    process.gid = caller.gid;
  } else if (placer->wants_executable()) {
    process.executable = processes_.executable(process.pid);
  }
  const Placement placement = placer->place(process);
  std::vector<sched::Weight> group_weights;
  for (const GroupStep& group : placement.groups) group_weights.push_back(placer->weight_of(group));
  const sched::Weight weight = placer->weight_of(process);

  std::shared_ptr<Flow> flow;
  {
    const std::lock_guard lock{engine_mutex_};
    flow = flows_.find_or_add(placement, group_weights, weight, process, now);
  }
  Shard& shard = shard_of(caller.thread);
  const std::lock_guard lock{shard.mutex};
  shard.add(caller.thread, flow, now);
  return flow;
}

void Callers::sweep(sched::Time now) {
  for (Shard& shard : shards_) {
    const std::lock_guard lock{shard.mutex};
    shard.sweep(now);
  }
}

void Callers::set_placer(std::shared_ptr<const Placer> placer) {
  {
    const std::lock_guard lock{placer_mutex_};
    placer_.swap(placer);
  }
  sweep(sched::kNever);  // a look-up under way may still bring in what the old rules say: it holds for `kFresh`
}

std::shared_ptr<const Placer> Callers::placer() const {
  const std::lock_guard lock{placer_mutex_};
  return placer_;
}

std::size_t Callers::size() const {
  std::size_t sum = 0;
  for (const Shard& shard : shards_) {
    const std::lock_guard lock{shard.mutex};
    sum += shard.entries.size();
  }
  return sum;
}

const Callers::Entry* Callers::Shard::find(pid_t thread, sched::Time now) const {
  const auto found = entries.find(thread);
  return found != entries.end() && now - found->second.found < kFresh ? &found->second : nullptr;
}

void Callers::Shard::add(pid_t thread, std::shared_ptr<Flow> flow, sched::Time now) {
  if (entries.size() >= kEntriesMax) {
    sweep(now);
    if (entries.size() >= kEntriesMax) entries.clear();
  }
  entries[thread] = {std::move(flow), now};
}

void Callers::Shard::sweep(sched::Time now) {
  std::erase_if(entries, [now](const auto& entry) { return now - entry.second.found >= kFresh; });
}

}  // namespace fairfs::engine
