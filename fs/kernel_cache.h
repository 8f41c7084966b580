// Has the kernel let go of the files that it only remembers.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "fs/unique_fd.h"

namespace fairfs::fs {

/// Reconfigures the mount without changing anything: for that, Linux drops all names of it that nobody uses, and then
/// forgets their inodes. Only root may (CAP_SYS_ADMIN); otherwise nothing happens. In a thread of its own, because the
/// kernel may have to write mapped pages first, which needs ours. Thread-safe.
class KernelCache {
 public:
  /// How long somebody waits for the outcome: dropping a million names takes about as long. After a wait in vain (all
  /// that the kernel knows is in use) nobody waits for the same time.
  static constexpr std::chrono::milliseconds kWait{1000};

  explicit KernelCache(std::string mountpoint) : mountpoint_(std::move(mountpoint)) {}
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  /// What is mounted there now is `mount`. Before this, `drop` does nothing.
  void begin(dev_t mount);
  /// Soon: half of the time at most goes into it, since everything is looked up anew afterwards.
  void drop() noexcept;
  /// The same, and waits until `enough()`, but no longer than the kernel needs. What enough() says at the end; it is
  /// called by this thread, under a lock.
  bool drop_until(const std::function<bool()>& enough) noexcept;

 private:
  void serve();
  void reconfigure();
  void hold_spares();

  const std::string mountpoint_;
  dev_t mount_ = 0;
  std::mutex mutex_;
  std::condition_variable wanted_cv_, done_cv_;
  // Guarded by mutex_.
  bool wanted_ = false, at_it_ = false, stopping_ = false;
  std::chrono::steady_clock::time_point not_before_{}, in_vain_until_{};
  // Of the thread: descriptors to give up for those it needs, which may be the last.
  UniqueFd spares_[2];
  std::thread thread_;
};

}  // namespace fairfs::fs
