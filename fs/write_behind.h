// Write-behind: what buffered writes leave in the page cache goes to the disk in their writer's turns.
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <vector>

#include "fs/answer.h"
#include "fs/dirty_file.h"
#include "sched/engine/engine.h"
#include "sched/write_behind.h"

namespace fairfs::fs {

/// Thread-safe; never blocks its caller. The policy is sched::WriteBehind's; this holds its lock, the files and the
/// answers that wait. One thread looks after ages and shares every 100 ms while something is dirty. The lock is never
/// held while the engine is called or an answer is sent. With sched=off it does nothing: writes are left to the kernel.
class WriteBehind {
 public:
  struct Place {
    int proc_fd = -1;  ///< O_PATH of /proc/self/fd, borrowed
    WriteOut how = WriteOut::ranges;
    bool wanted = false;  ///< false, or sched=off: writes only pass and are counted
  };
  WriteBehind(engine::Engine& engine, InodeTable& inodes, const Place& place);
  ~WriteBehind();
  WriteBehind(const WriteBehind&) = delete;
  WriteBehind& operator=(const WriteBehind&) = delete;

  /// Largest piece of a write that is to go to the page cache at once.
  [[nodiscard]] std::size_t part() const noexcept;
  /// `caller` has put `bytes` at `offset` into the page cache: answers it, at once or when its flow has room. The
  /// request holds the inode.
  void wrote(Inode& inode, const engine::Caller& caller, std::uint64_t offset, std::size_t bytes, const Answer& answer);
  /// The same for pages that the kernel writes back itself, charged to the file's last writer, else to its last opener
  /// for writing: never waits, its caller answers.
  void wrote_back(Inode& inode, std::uint64_t offset, std::size_t bytes);
  /// Pieces in which a flush writes what it finds, bytes: full ones, since it is what others make way for.
  [[nodiscard]] std::uint64_t rest_piece() const noexcept;
  /// The parts of the file that are dirty and not on their way; the caller writes them, through `file`. Empty when that
  /// is no more than `rest_piece`, which the caller's flush writes itself: `file` is null then.
  struct Rest {
    std::shared_ptr<DirtyFile> file;
    std::vector<sched::DirtyExtents::Span> spans;
  };
  [[nodiscard]] Rest take(Inode& inode);
  [[nodiscard]] WriteOut how() const { return place_.how; }
  /// The file is `size` bytes long now.
  void truncated(Inode& inode, std::uint64_t size);
  /// The kernel lets go of a file: if it has no name either, nobody will read what is dirty of it.
  void forgotten(Inode& inode) noexcept;
  /// Answers all that wait and writes everything; logs how far it is each second. No more calls from here on.
  void drain();

 private:
  struct Held {
    Answer answer;
    std::size_t bytes = 0;
    sched::Time since{}, until{};
  };
  struct Writer {
    engine::FlowRef flow;
    std::deque<Held> held;  // oldest first
  };
  /// What a hold of the lock decided, done after it.
  struct Actions {
    std::vector<std::unique_ptr<engine::Job>> jobs;
    std::vector<std::pair<Held, engine::FlowRef>> answers;
    std::vector<std::shared_ptr<DirtyFile>> clean;  // their last reference may close a file
    std::uint64_t window = 0;                       // changed to this, or 0
  };

  /// More programs than this that flush at the same time pay for files that come and go.
  static constexpr std::size_t kFlushedMost = 16;

  void record(Inode& inode, const engine::FlowRef& flow, std::uint64_t offset, std::size_t bytes, sched::Time now);
  void push(sched::WriterId id, sched::Time now, Actions& actions);
  void release(sched::WriterId id, sched::Time now, Actions& actions);
  void forget_clean(sched::FileId file, Actions& actions);
  void forget_flushed(Actions& actions);
  void act(Actions&& actions);
  void started();
  void ended(const sched::Piece& piece);
  void look_after();
  void visit_all();
  void share_out();

  engine::Engine& engine_;
  InodeTable& inodes_;
  const Place place_;
  const bool off_;
  std::mutex mutex_;
  std::condition_variable wanted_;
  // Guarded by mutex_.
  sched::WriteBehind policy_;
  std::unordered_map<sched::WriterId, Writer> writers_;
  std::unordered_map<sched::FileId, std::shared_ptr<DirtyFile>> files_;
  std::vector<sched::FileId> flushed_;  // a flush has cleaned them; in files_ until the next round, each here once
  std::uint64_t window_ = 0;            // as the engine knows it
  bool stopping_ = false, draining_ = false;
  std::thread keeper_;
};

}  // namespace fairfs::fs
