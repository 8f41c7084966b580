// The file systems on which files are opened by FileId.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>

#include <mutex>
#include <unordered_map>

#include "fs/file_id.h"
#include "fs/local_disk.h"
#include "fs/sys.h"

namespace fairfs::fs {

/// Thread-safe. Holds none of them itself: a file system mounted inside the source can be unmounted once nobody knows
/// any of its files.
class MountAnchors {
 public:
  /// The anchor of `mount`; when there is none yet it is made of `fd`, if that is a directory: opening anything else
  /// might do something. Null when there is none, and on file systems that forget their files' names.
  [[nodiscard]] MountAnchor find(int mount, int fd, mode_t type) {
    const std::lock_guard lock{mutex_};
    auto& known = known_[mount];
    MountAnchor anchor = known.lock();
    if (anchor || type != S_IFDIR) return anchor;
    // Without relief: that would close descriptors under the lock of a shard, which the caller holds.
    UniqueFd directory{sys::checked(::openat(AT_FDCWD, sys::FdName{fd}.path(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))};
    if (!directory || !is_local(directory.get())) return nullptr;
    anchor = std::make_shared<const UniqueFd>(std::move(directory));
    known = anchor;
    return anchor;
  }

 private:
  std::mutex mutex_;
  std::unordered_map<int, std::weak_ptr<const UniqueFd>> known_;  ///< guarded by mutex_
};

}  // namespace fairfs::fs
