// From the thread id in a request to its flow: a cache in front of /proc, the rules and the flow map.
#pragma once

#include <array>
#include <memory>
#include <mutex>
#include <unordered_map>

#include "sched/engine/flow_map.h"
#include "sched/engine/job.h"
#include "sched/engine/placement.h"
#include "sched/engine/process_table.h"

namespace fairfs::engine {

/// Thread-safe. A cached caller costs one short lock of its shard; another one a few small reads of /proc and then the
/// engine's mutex once, never both at a time.
class Callers {
 public:
  /// How long an answer holds: what an exec, a move between cgroups or a new rule changes is seen after it at the
  /// latest.
  static constexpr sched::Duration kFresh = std::chrono::seconds{1};

  /// `engine_mutex` guards `flows`. The references outlive this object.
  Callers(const ProcessTable& processes, std::shared_ptr<const Placer> placer, FlowMap& flows, std::mutex& engine_mutex)
      : processes_(processes), placer_(std::move(placer)), flows_(flows), engine_mutex_(engine_mutex) {}

  [[nodiscard]] std::shared_ptr<Flow> flow_of(const Caller& caller, sched::Time now);
  /// As flow_of, but asks /proc whatever the cache says.
  [[nodiscard]] std::shared_ptr<Flow> look_up(const Caller& caller, sched::Time now);

  /// Counts one event of `caller`: a hook into its flow without taking a reference.
  template <typename Count>
  void with_flow(const Caller& caller, sched::Time now, Count count) {
    Shard& shard = shard_of(caller.thread);
    {
      const std::lock_guard lock{shard.mutex};
      if (const Entry* entry = shard.find(caller.thread, now)) return count(*entry->flow);
    }
    count(*look_up(caller, now));
  }

  /// Drops what is no longer fresh. Called about once a second.
  void sweep(sched::Time now);
  void set_placer(std::shared_ptr<const Placer> placer);
  [[nodiscard]] std::shared_ptr<const Placer> placer() const;
  [[nodiscard]] std::size_t size() const;

 private:
  struct Entry {
    std::shared_ptr<Flow> flow;
    sched::Time found{};
  };
  /// A cache line of its own: shards exist so that callers don't meet.
  struct alignas(64) Shard {
    /// More callers than this within a second are not worth remembering (16 shards: 64 Ki callers, about 8 MiB).
    static constexpr std::size_t kEntriesMax = 4096;
    const Entry* find(pid_t thread, sched::Time now) const;
    void add(pid_t thread, std::shared_ptr<Flow> flow, sched::Time now);
    void sweep(sched::Time now);
    mutable std::mutex mutex;
    std::unordered_map<pid_t, Entry> entries;  // guarded by mutex
  };
  static constexpr std::size_t kShards = 16;
  Shard& shard_of(pid_t thread) { return shards_[static_cast<std::size_t>(thread) % kShards]; }

  const ProcessTable& processes_;
  mutable std::mutex placer_mutex_;
  std::shared_ptr<const Placer> placer_;  // guarded by placer_mutex_
  FlowMap& flows_;                        // guarded by engine_mutex_
  std::mutex& engine_mutex_;
  std::array<Shard, kShards> shards_;
};

}  // namespace fairfs::engine
