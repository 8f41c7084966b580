// What is inside an Engine. Only the engine's own files include this.
#pragma once

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <span>
#include <thread>
#include <unordered_set>
#include <vector>

#include "sched/engine/callers.h"
#include "sched/engine/disk.h"
#include "sched/engine/engine.h"
#include "sched/engine/executor.h"
#include "sched/engine/flow_map.h"
#include "sched/engine/pending.h"
#include "sched/engine/trace.h"
#include "sched/write_gate.h"

namespace fairfs::engine {

/// CLOCK_MONOTONIC, as std::chrono::steady_clock.
[[nodiscard]] sched::Time clock_now();
/// The same clock to about 4 ms, at a quarter of the price: for time stamps of idleness.
[[nodiscard]] sched::Time clock_coarse();

struct Engine::State {
  explicit State(EngineConfig&& given);
  ~State();

  // The pump (pump.cc). `pump` is advance of nothing.
  /// Takes in what ended, starts what is next, answers what ended; and, if this thread may run blocking work, runs what
  /// is left for it and goes round again. Nothing of it needs memory.
  void advance(PendingQueue ended, bool may_run) noexcept;
  void pump(bool may_run) noexcept { advance({}, may_run); }
  void enqueue(std::unique_ptr<Job>&& job);

  // The housekeeper (housekeeper.cc).
  void keep_house();
  /// What is due now; throws std::bad_alloc where it needs memory, and is then done in the next round.
  void keep_house_once(sched::Time& next_round, sched::Time& next_second);
  void answer_killed();
  void each_second();

  // Views (readings.cc).
  [[nodiscard]] Snapshot read() const;

  void drain();

  const EngineConfig config;
  const ProcDirectory processes;
  const std::shared_ptr<CgroupWeights> cgroups;

  /// Guards everything down to the next line of this kind. Nothing happens under it but calls of the scheduler and
  /// counting.
  mutable std::mutex mutex;
  sched::Scheduler scheduler;
  FlowMap flows;
  PendingQueue queue;
  bool held = false;
  std::uint32_t queued = 0, in_flight = 0;
  sched::Time busy_since{};       // while in_flight != 0
  sched::Duration device_busy{};  // until the last time that in_flight was 0
  std::uint64_t decisions = 0;
  sched::Duration decision_time{};
  sched::Time wake_at = sched::kNever;  // the scheduler wants to be asked then
  sched::Time house_wakes_at{};         // the housekeeper's own plan
  bool stopping = false;
  std::condition_variable house_wanted;
  std::size_t looks_done = 0;  // rounds of the housekeeper that could not look at all threads; its own
  std::shared_ptr<const Snapshot> second_start, second_end;
  std::vector<std::weak_ptr<TraceBuffer>> traces;  // of those who watch

  // Thread-safe by themselves.
  Callers callers;
  std::atomic<std::uint64_t> unfinished{0};                             // submitted and not yet answered
  std::atomic<std::uint64_t> write_piece{sched::WriteGate::kPieceFull};  // the scheduler's, as of the last step
  std::atomic<unsigned> drainers{0};
  std::mutex drain_mutex;
  std::condition_variable drained;
  // Last, so that their threads end before anything they use.
  Executor executor;
  Disk disk;
  std::thread housekeeper;

 private:
  /// What one look at the scheduler gave.
  struct Started {
    PendingQueue pending;
    bool alone = false;  ///< one request, and no other queued or in flight
  };
  Started step(const PendingQueue& ended);                    // takes the mutex
  void complete(Pending& pending, sched::Time now);           // under the mutex
  void collect(Started& started, sched::Time now);            // under the mutex
  Pending* launch(Started&& started, bool may_run);           // null, or what this thread is to run
  void start(std::span<iocb*> blocks, PendingQueue& refused);  // on the disk
  void finish(PendingQueue& ended);
  [[nodiscard]] TraceReason reason_of(bool promoted) const;                 // under the mutex, as it is started
  void trace(const Pending& pending, sched::Time now);                      // under the mutex
  [[nodiscard]] FlowReading read(const Flow& flow, sched::Time now) const;  // under the mutex
};

}  // namespace fairfs::engine
