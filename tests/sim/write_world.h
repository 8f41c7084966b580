// Programs that write buffered, others that fsync, write-behind's policy, the scheduler and a disk on one simulated
// clock: what fs/write_behind.cc and the kernel's journal do with the pure core.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "sched/scheduler.h"
#include "sched/write_behind.h"
#include "tests/sim/disk_model.h"

namespace fairfs::test {

class WriteWorld {
 public:
  WriteWorld(const sched::SchedulerConfig& config, std::unique_ptr<DiskModel> disk);

  /// Writes 1 MiB at a time into a file of its own, as fast as memory takes it and answers come. Its number.
  std::size_t add_writer(sched::Weight weight = sched::kWeightDefault);
  /// (fsync of some bytes in a file of its own, `think`) again and again. Its number.
  std::size_t add_flusher(sched::Duration think, sched::Weight weight = sched::kWeightDefault);
  /// Reads a file of its own from its start, `outstanding` requests at once. Its number.
  std::size_t add_reader(std::uint32_t outstanding, std::uint64_t bytes, sched::Weight weight = sched::kWeightDefault);
  void run_for(sched::Duration time);
  /// Forgets what was counted so far.
  void reset();

  /// On the disk.
  [[nodiscard]] double megabytes(std::size_t writer) const { return static_cast<double>(writers_[writer].bytes) / 1e6; }
  [[nodiscard]] double megabytes_read(std::size_t reader) const {
    return static_cast<double>(readers_[reader].bytes) / 1e6;
  }
  /// Time that the disk worked for its file so far, where the model accounts it.
  [[nodiscard]] sched::Duration worked_for_writer(std::size_t writer) const;
  [[nodiscard]] sched::Duration worked_for_reader(std::size_t reader) const;
  /// Milliseconds of each fsync, sorted.
  [[nodiscard]] std::vector<double> flushes(std::size_t flusher) const;

 private:
  struct Writer {
    sched::NodeId node{};
    sched::Weight weight = 0;
    std::uint64_t offset = 0, bytes = 0;
    bool held = false;
  };
  struct Flusher {
    sched::NodeId node{};
    sched::Duration think{};
    sched::Time since{};
    std::vector<double> took;
  };
  struct Reader {
    sched::NodeId node{};
    std::uint64_t request = 0, offset = 0, bytes = 0;
  };
  using Action = std::function<void()>;
  using Start = std::function<void(sched::RequestId)>;

  void at(sched::Time when, Action action) { events_.emplace(when, std::move(action)); }
  /// `done` when the disk has done it.
  void access(sched::Operation operation, std::uint64_t file, std::uint64_t offset, std::uint64_t bytes, Action done);
  void submit(sched::Request request, Start start);
  void write(std::size_t writer);
  void push(std::size_t writer);
  void release(std::size_t writer);
  void flush(std::size_t flusher);
  void commit();
  void read(std::size_t reader);
  void look_after();
  void pump();

  const std::unique_ptr<DiskModel> disk_;
  sched::Scheduler scheduler_;
  sched::WriteBehind policy_;
  sched::Time now_{}, wake_ = sched::kNever;
  std::vector<Writer> writers_;
  std::vector<Flusher> flushers_;
  std::vector<Reader> readers_;
  std::multimap<sched::Time, Action> events_;  // equal times in the order they were made
  std::vector<Start> starts_;                  // by cookie
  std::vector<Action> accesses_;               // by their id in the disk
  // The journal: one commit at a time, for all that came before it began.
  std::vector<Action> committing_, waiting_;
};

}  // namespace fairfs::test
