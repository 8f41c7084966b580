// One file of the source that the kernel, or an open handle, knows.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

#include "fs/file_id.h"
#include "fs/page_record.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

/// Which file it is on the backing side, and how it is reached: what can be done to a file, and what lies under a
/// directory, depends on the mount that leads there.
struct InodeKey {
  dev_t device = 0;
  ino_t number = 0;
  /// 0 on the source's own mount. On others (bind mounts, other file systems) a directory has the mount's id; other
  /// files are the same through all mounts, as locks and pages must be, but for those that are read-only: kReadOnly.
  std::uint64_t view = 0;
  static constexpr std::uint64_t kReadOnly = 1;
  bool operator==(const InodeKey&) const = default;
};

/// Made and destroyed by InodeTable only. Its descriptor (O_PATH) pins the backing inode, so that its number can't be
/// given to another file while we know this one, and everything goes through it: names and paths may change under us.
/// InodeTable::borrow lends it; of those not used lately the table may keep a FileId instead.
struct Inode {
  Inode(UniqueFd descriptor, const InodeKey& which, mode_t type_bits, std::int64_t birth_ns, bool elsewhere,
        std::uint64_t serial)
      : key(which),
        type(type_bits),
        birth(birth_ns),
        apart(elsewhere),
        generation(serial),
        fd_(std::move(descriptor)) {}

  const InodeKey key;
  const mode_t type;               ///< S_IFMT part of the mode
  const std::int64_t birth;        ///< ns since 1970, 0 where the file system tells none
  const bool apart;                ///< on another disk than the source: not scheduled
  const std::uint64_t generation;  ///< new for each Inode: addresses come back, (address, generation) doesn't

  std::atomic<int> writers{0};     ///< handles open for writing
  std::atomic<pid_t> writer{0};    ///< thread that last wrote, 0: none
  std::atomic<pid_t> opener{0};    ///< thread that last opened it for writing
  std::atomic<bool> dirty{false};  ///< write-behind has something of it, or had a moment ago
  std::atomic<std::uint64_t> run_start{0}, run_end{0};  ///< what was last written in order, buffered
  std::atomic<bool> keeps_space{false};                 ///< a caller has reserved space behind its end
  /// -errno that write-behind met and nobody has been told: for those who open the file later. Those who have it open
  /// are told by their own descriptors.
  std::atomic<int> write_error{0};

  std::mutex pages_mutex;  ///< also held while times and extended attributes are set
  PageRecord pages;  ///< guarded by pages_mutex

 private:
  friend class InodeTable;
  friend class BorrowedFd;

  static constexpr int kClosed = -1;
  /// How many use fd_ now, or kClosed. Who raises it from 0 or more may read fd_; only the holder of the shard's lock
  /// moves it to and from kClosed, and changes fd_ while it is that.
  std::atomic<int> borrowers_{0};
  std::atomic<bool> used_lately_{false};
  UniqueFd fd_;
  // Set before the descriptor is closed for the first time, constant from then on.
  std::optional<FileId> id_;
  MountAnchor anchor_;

  // Guarded by the lock of the table's shard.
  std::uint64_t lookups_ = 0;          ///< references the kernel holds
  std::uint64_t pins_ = 0;             ///< references handles hold
  bool listed_ = true;                 ///< false when another file took over the number
  std::list<Inode*>::iterator place_;  ///< in the shard's list of open descriptors, while `placed_`
  bool placed_ = false;
  bool kept_ = false;      ///< has its descriptor for good
  bool nameless_ = false;  ///< counted among those that keep their descriptor because nothing leads to them any more
};

}  // namespace fairfs::fs

template <>
struct std::hash<fairfs::fs::InodeKey> {
  std::size_t operator()(const fairfs::fs::InodeKey& key) const noexcept {
    // Fibonacci hashing: neighbouring numbers spread over the shards.
    return (static_cast<std::size_t>(key.number) ^ (static_cast<std::size_t>(key.device) << 32U) ^ (key.view << 48U)) *
           0x9E3779B97F4A7C15U;
  }
};
