// Which of the file systems mounted inside the source lie on other disks.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <mutex>
#include <unordered_map>

namespace fairfs::fs {

/// Remembers what `MountConfig::on_another_disk` said. Thread-safe.
class OtherDisks {
 public:
  OtherDisks(dev_t source, std::function<bool(dev_t, dev_t)> ask) : source_(source), ask_(std::move(ask)) {}

  /// Whether the file system of that number is known to lie on another disk than the source.
  [[nodiscard]] bool have(dev_t file_system) noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  // The number of a file system without a device is given to the next one after an unmount.
  static constexpr auto kHolds = std::chrono::seconds{10};
  struct Known {
    bool apart = false;
    Clock::time_point asked;
  };

  const dev_t source_;
  const std::function<bool(dev_t, dev_t)> ask_;
  std::mutex mutex_;
  std::unordered_map<dev_t, Known> known_;  // guarded by mutex_
};

}  // namespace fairfs::fs
