// What a request for names or attributes takes of the disk, which nobody schedules.
#pragma once

#include <sys/resource.h>

#include <chrono>
#include <exception>
#include <utility>

#include "fs/mount.h"
#include "fs/serving_thread.h"
#include "sched/constants.h"

namespace fairfs::fs {

/// From here to its end the thread works on one request: its caller is charged for the time if that was long enough for
/// a disk (sched::kMetadataBlockedLeast) and the thread did read blocks meanwhile; a busy processor or another's lock
/// make it long, too. Two looks at the clock, and the kernel is asked only after a long one.
class DiskWait {
 public:
  explicit DiskWait(fuse_req_t req) noexcept : engine_(mount_of(req).engine), caller_(caller_of(req)) {
    long& before = serving_thread().blocks_read;
    if (before < 0) before = blocks_read();
  }
  ~DiskWait() {
    const auto time = Clock::now() - begin_;
    if (time >= sched::kMetadataBlockedLeast) charge(time);
  }
  DiskWait(const DiskWait&) = delete;
  DiskWait& operator=(const DiskWait&) = delete;

 private:
  using Clock = std::chrono::steady_clock;

  /// Of this thread, ever. Linux counts a block device's reads for the thread that starts them.
  static long blocks_read() noexcept {
    struct rusage usage {};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_inblock;
  }
  void charge(Clock::duration time) noexcept {
    const long now = blocks_read();
    if (std::exchange(serving_thread().blocks_read, now) == now || serving_thread().apart) return;
    try {
      engine_.charge_metadata(caller_, time);
    } catch (const std::exception&) {  // no memory for a new flow: it goes free
    }
  }

  engine::Engine& engine_;
  const engine::Caller caller_;
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace fairfs::fs
