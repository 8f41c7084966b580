#include "fs/postponed.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <utility>

#include "fs/identity.h"

namespace fairfs::fs {
namespace {

/// Never what changes a directory: others wait for its lock.
bool may_wait(std::uint32_t opcode) {
  return opcode == FUSE_LOOKUP || opcode == FUSE_READDIR || opcode == FUSE_READDIRPLUS;
}

/// Takes the lock of the directory that it names first.
bool changes_directory(std::uint32_t opcode) {
  switch (opcode) {
    case FUSE_CREATE:
    case FUSE_MKNOD:
    case FUSE_MKDIR:
    case FUSE_SYMLINK:
    case FUSE_LINK:
    case FUSE_UNLINK:
    case FUSE_RMDIR:
    case FUSE_RENAME:
    case FUSE_RENAME2: return true;
    default: return false;
  }
}

/// To some milliseconds: what is read at each look-up must cost nothing.
DirectoryUse::Time now_coarse() {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

}  // namespace

bool Postponed::take(const Message& message) {
  const fuse_in_header& header = message.header();
  const bool waits = may_wait(header.opcode);
  if (!waits && !changes_directory(header.opcode)) return false;
  try {
    const DirectoryUse::Time now = now_coarse();
    const sched::Duration delay =
        waits ? delay_of_({static_cast<pid_t>(header.pid), header.uid, header.gid}) : sched::Duration{};
    // Look-ups of one who owes are not noted: his threads would be others to each other, and none of them would wait.
    if (delay <= sched::Duration::zero()) {
      directories_.note(header.nodeid, header.pid, now);
      return false;
    }
    if (directories_.shared(header.nodeid, header.pid, now)) return false;
    Message copy = message.copy();
    const std::lock_guard lock{mutex_};
    if (stopping_) return false;
    if (idle_ == 0 && threads_.size() < kThreads) threads_.emplace_back([this] { serve(); });
    waiting_.push_back({Clock::now() + delay, std::move(copy)});
    std::push_heap(waiting_.begin(), waiting_.end(), Later{});
    changed_.notify_one();
    return true;
  } catch (const std::exception&) {  // neither memory nor a thread for it: it is answered now
    return false;
  }
}

void Postponed::serve() {
  identity::prepare_thread();
  std::unique_lock lock{mutex_};
  for (;;) {
    ++idle_;
    while (!stopping_ && (waiting_.empty() || waiting_.front().due > Clock::now())) {
      if (waiting_.empty()) {
        changed_.wait(lock);
      } else {
        changed_.wait_until(lock, Clock::time_point{waiting_.front().due});
      }
    }
    --idle_;
    if (waiting_.empty()) return;  // stopping
    std::pop_heap(waiting_.begin(), waiting_.end(), Later{});
    Message message = std::move(waiting_.back().message);
    waiting_.pop_back();
    lock.unlock();
    handler_(message);
    message = {};
    lock.lock();
  }
}

void Postponed::stop() {
  std::unique_lock lock{mutex_};
  stopping_ = true;
  changed_.notify_all();
  lock.unlock();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace fairfs::fs
