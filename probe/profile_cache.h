// Profiles kept between mounts, one for each device and filesystem. Knows bytes, not their format.
#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "sched/engine/file.h"

namespace fairfs::probe {

/// What makes a disk the same disk: its identity, its filesystem's UUID, its size, whether it rotates. One line. Empty
/// for a filesystem without a block device.
[[nodiscard]] std::string device_key(const std::string& directory);

/// Where profiles are kept: $CACHE_DIRECTORY if it is given (systemd does for CacheDirectory=), /var/cache/fairfs for
/// root, else $XDG_CACHE_HOME/fairfs or ~/.cache/fairfs.
[[nodiscard]] std::string cache_directory(bool root);

/// Not thread-safe; several processes may use one directory.
class ProfileCache {
 public:
  using WallTime = std::chrono::system_clock::time_point;
  struct Kept {
    std::string text;
    std::chrono::system_clock::duration age;
  };
  /// After this the disk may have aged, or its firmware changed.
  static constexpr std::chrono::hours kAgeMax{30 * 24};

  explicit ProfileCache(std::string directory) : directory_(std::move(directory)) {}

  /// The text stored under `key`, unless it is older than kAgeMax at `now` or from the future.
  [[nodiscard]] std::optional<Kept> load(const std::string& key, WallTime now) const;
  /// Replaces it in one step: a reader sees the old or the new text. False, with errno, when it can't.
  bool store(const std::string& key, const std::string& text);
  /// Where `key` is kept, for messages.
  [[nodiscard]] std::string path(const std::string& key) const;

  /// Held while the disk `key` is measured: of two probes at once each would measure the other. Waits until the other
  /// is done, at most `patience`. Holds nothing when there is no place for locks or the other took longer.
  [[nodiscard]] engine::FileDescriptor lock(const std::string& directory, std::chrono::milliseconds patience);

 private:
  bool make_directory() const;
  const std::string directory_;
};

}  // namespace fairfs::probe
