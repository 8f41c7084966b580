// One flow: a leaf of the tree of shares, with what is counted for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "sched/engine/process_table.h"
#include "sched/engine/snapshot.h"
#include "sched/limits.h"
#include "sched/stats.h"
#include "sched/types.h"

namespace fairfs::engine {

struct Group;

struct Flow {
  Flow(std::uint64_t unique_key, std::string leaf_key) : key(unique_key), leaf(std::move(leaf_key)) {}

  const std::uint64_t key;  ///< never reused, unlike pids and nodes
  const std::string leaf;   ///< Placement's

  // Any thread, relaxed: counts of what is not scheduled. Readers subtract, so a count that is a moment late is
  // harmless.
  std::atomic<std::uint64_t> cached{0}, cached_bytes{0}, buffered_writes{0}, buffered_bytes{0}, metadata{0};
  std::atomic<sched::Duration::rep> throttled{0};
  std::atomic<std::uint64_t> dirty{0}, writing{0};  ///< bytes; while some are dirty the flow doesn't expire
  std::atomic<sched::Duration::rep> last_seen{0};   ///< since the clock's epoch
  std::atomic<bool> owes{false};                    ///< for look-ups; set by FlowMap

  // The rest under the engine's mutex.
  bool in_tree = true;  ///< false once expired: whoever still holds it must look its caller up again
  sched::NodeId node{};
  Group* parent = nullptr;  ///< null directly under the root
  std::string name;
  sched::Weight weight = sched::kWeightDefault;
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  sched::Limits limits;
  bool shared = false;
  bool overridden = false;
  Process process;  ///< of a shared flow, the first that came
  std::uint32_t queued = 0, in_flight = 0;
  sched::Time backlogged_since{}, active_since{}, last_dispatch{};
  sched::Duration active_last_second{};  ///< `active` at the last full second
  double share_due = 0;
  /// Scheduled requests only; made at the first, because its histograms are large and most short-lived callers have
  /// none.
  std::unique_ptr<sched::FlowCounters> counters;

  [[nodiscard]] bool busy() const { return queued + in_flight != 0; }
  [[nodiscard]] sched::Time seen() const {
    return sched::Time{sched::Duration{last_seen.load(std::memory_order_relaxed)}};
  }
  void see(sched::Time now) { last_seen.store(now.time_since_epoch().count(), std::memory_order_relaxed); }

  /// A flow whose requests wait for longer than this with none of them started is starved; less is a turn of others.
  static constexpr sched::Duration kStarved = std::chrono::seconds{1};

  /// Takes what memory `submitted` needs, so that it doesn't. Throws std::bad_alloc.
  void make_counters() {
    if (!counters) counters = std::make_unique<sched::FlowCounters>();
  }
  void submitted(sched::Time now);
  void dispatched(sched::Duration waited, sched::Time now);
  void cancelled(sched::Time now);
  /// `result`: bytes or -errno.
  void completed(sched::Operation operation, ssize_t result, sched::Duration service, sched::Time now);
  /// As `completed`, for a buffered write, whose caller was counted when it wrote.
  void written_behind(ssize_t result, sched::Duration service, sched::Time now);
  /// A flush kept its caller waiting for so long.
  void synced(sched::Duration waited) { counters->sync.add(waited); }
  /// Everything counted until `now`, time in states that still last included. `device_time` is left to the caller.
  [[nodiscard]] sched::FlowCounters counted(sched::Time now) const;

 private:
  [[nodiscard]] sched::Duration starved(sched::Time now) const;
  void queue_shrank(sched::Time now);
  void work_shrank(sched::Time now);
  void served(sched::Duration service, sched::Time now);
};

}  // namespace fairfs::engine
