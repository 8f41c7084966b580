// The shell round the pure scheduler: takes jobs from the filesystem, knows whose they are, runs them when it is their
// turn.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "sched/engine/explanation.h"
#include "sched/engine/job.h"
#include "sched/engine/snapshot.h"
#include "sched/engine/trace.h"
#include "sched/engine/weight_rules.h"
#include "sched/scheduler.h"

namespace fairfs::engine {

struct EngineConfig {
  sched::SchedulerConfig scheduler;
  Grouping grouping = Grouping::cgroup;
  WeightRules rules;
  /// Opens and keeps /proc through this directory; tests give their own.
  const char* proc = "/proc";
};

/// What is not scheduled but counted.
enum class Event : std::uint8_t { cached_read, buffered_write, metadata };

/// Thread-safe. One mutex round the scheduler, never held across I/O or a call of a Job. Owns its threads: one waiting
/// for libaio, at most `depth` for blocking work that no caller's thread is there for, one housekeeper (deadlines,
/// killed callers, stats each second, idle flows).
class Engine {
 public:
  explicit Engine(EngineConfig config);
  /// Finishes what is queued and in flight first.
  ~Engine();
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  /// Queues only: dispatches nothing, so that a receive loop can drain what the kernel holds before anything is
  /// decided. Throws std::bad_alloc: then the job is still the caller's, and nothing is counted or queued.
  void submit(std::unique_ptr<Job>&& job);
  /// Starts what the scheduler says is next: asynchronous work goes to libaio, blocking work is run on this thread, and
  /// again until nothing is left for it. Further blocking work that may start meanwhile goes to the engine's own
  /// threads.
  void run() noexcept;
  /// Starts what is next without ever blocking this thread.
  void kick() noexcept;

  void count(const Caller& caller, Event event, std::uint64_t bytes = 0);

  // For names and attributes, which are never queued.
  /// A request of `caller` kept its thread waiting for the disk for so long until now: sched::Scheduler's of that name.
  void charge_metadata(const Caller& caller, sched::Duration blocked);
  /// How long the caller's next look-up is to wait for that, mostly 0. Takes no lock while nobody owes.
  [[nodiscard]] sched::Duration metadata_delay(const Caller& caller);

  // For write-behind, which does a flow's work after its caller has gone on.
  /// The caller's flow, which is kept as long as something of it is dirty.
  [[nodiscard]] FlowRef flow_of(const Caller& caller);
  /// Counts a buffered write and answers whose it is: one look-up for both.
  [[nodiscard]] FlowRef count_write(const Caller& caller, std::uint64_t bytes);
  /// Each one's part of the disk if these and no others were busy.
  [[nodiscard]] std::vector<double> shares_among(std::span<const FlowRef> flows) const;
  /// Bytes of the flow that are dirty, and of these on their way to the disk: for readings.
  static void set_dirty(const FlowRef& flow, std::uint64_t dirty, std::uint64_t writing);
  static void count_throttled(const FlowRef& flow, sched::Duration waited);
  /// See sched::Scheduler::set_write_window.
  void set_write_window(std::uint64_t bytes);
  /// See sched::Scheduler::write_piece. Takes no lock.
  [[nodiscard]] std::uint64_t write_piece() const noexcept;
  [[nodiscard]] const sched::SchedulerConfig& scheduler_config() const;

  /// New rules apply to the flows there are within a second, queued requests included.
  void set_rules(WeightRules rules);
  [[nodiscard]] Snapshot snapshot() const;
  /// The readings at the two ends of the last full second; equal when there was none yet.
  [[nodiscard]] std::pair<SharedSnapshot, SharedSnapshot> last_second() const;
  /// Why the process weighs what it weighs; `pid` may be one of its threads, whose ionice counts then.
  [[nodiscard]] Explanation explain(pid_t pid) const;
  /// From here on every scheduled request that ends is kept for whoever holds what this answers.
  [[nodiscard]] std::shared_ptr<TraceBuffer> trace();
  /// Fetches up to `most` of them, the oldest first, and how many were lost so far because nobody fetched them.
  [[nodiscard]] std::vector<TracedRequest> traced(TraceBuffer& buffer, std::size_t most, std::uint64_t& lost) const;
  /// Waits until nothing is queued or in flight. New jobs may still be submitted. Ends a hold.
  void drain();
  /// For tests and for looking into a running daemon: while held nothing is started, `submit` still queues and killed
  /// callers are still answered. Letting go kicks.
  void hold(bool held);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairfs::engine
