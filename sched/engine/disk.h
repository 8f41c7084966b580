// Asynchronous I/O: a libaio context and the thread that waits for it.
#pragma once

#include <libaio.h>

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <thread>

#include "sched/engine/file.h"

namespace fairfs::engine {

/// What ended: the block's `data`, and bytes or -errno.
struct Completion {
  void* data;
  ssize_t result;
};

/// `start` is thread-safe.
class Disk {
 public:
  using Ended = std::function<void(std::span<const Completion>)>;

  /// Up to `depth` blocks are in flight at once, more are refused. `ended` is called on this object's own thread and
  /// must not block. Without a context (the system's fs.aio-max-nr is used up) it logs once, and refuses everything.
  Disk(unsigned depth, Ended ended);
  /// Nothing may be in flight.
  ~Disk();
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;

  /// Starts all in one system call. Those that the kernel won't take are afterwards the first; answers how many.
  std::size_t start(std::span<iocb*> blocks) noexcept;
  [[nodiscard]] bool available() const { return context_ != nullptr; }

 private:
  void wait();
  bool watch_wake();

  const Ended ended_;
  io_context_t context_ = nullptr;
  FileDescriptor wake_;  // eventfd, polled through the context, so that one wait covers both
  iocb wake_block_{};
  /// What was written before a submission is seen by the thread that gets its end. The kernel orders the two, but in a
  /// way that the language (and a race detector) can't see.
  std::atomic<unsigned> submissions_{0};
  std::thread thread_;
};

}  // namespace fairfs::engine
