// All inodes in use, and who holds them.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

#include "fs/borrowed_fd.h"
#include "fs/inode.h"
#include "fs/inode_pin.h"
#include "fs/mount_anchors.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

/// Thread-safe. An inode lives while the kernel holds lookups or a handle pins it. Finding one and taking the reference
/// happen under one lock: a forget that comes between would free what was found.
class InodeTable {
 public:
  InodeTable() = default;
  InodeTable(const InodeTable&) = delete;
  InodeTable& operator=(const InodeTable&) = delete;

  /// What a lookup learnt about a file; see Inode for the fields.
  struct Found {
    InodeKey key;
    mode_t type = 0;
    std::int64_t birth = 0;
    bool apart = false;
  };

  /// At most about `most` descriptors from now on: beyond, those not used lately are closed, and their files opened by
  /// FileId when they are needed again. Files without a name can't be: of those that no handle holds (a caller does by
  /// O_PATH, or stands in the directory) half of `most` keep theirs. Inodes known before keep theirs. `source`: a
  /// directory on the file system that most of them are on; false when files there can't be opened so. Before any other
  /// thread uses the table.
  [[nodiscard]] bool bound_descriptors(std::size_t most, const UniqueFd& source);
  /// How many more than `most` there may be for now, because others don't use theirs. Less than before takes effect as
  /// files become known, and at once by `free_descriptors`. Thread-safe.
  void lend_more(std::size_t descriptors) noexcept {
    more_.store(descriptors / shards_.size(), std::memory_order_relaxed);
  }

  /// The inode's descriptor. The caller holds a reference on the inode.
  [[nodiscard]] BorrowedFd borrow(Inode& inode) noexcept;

  /// True when some inode has no descriptor now, so that a file's last name may not go without `keep`.
  [[nodiscard]] bool closed_any() const noexcept { return closed_.load(std::memory_order_relaxed) != 0; }
  /// Closes up to `wanted` descriptors that nobody uses now; how many. May be called under locks that are leaves.
  std::size_t free_descriptors(std::size_t wanted) noexcept;
  /// Gives `descriptor` to the inode of that number if it has none: its file is about to lose a name, and a FileId
  /// leads to nothing once the last is gone.
  void keep(UniqueFd descriptor, const InodeKey& key) noexcept;

  /// The inode of `found`, with one lookup more; `descriptor` (O_PATH) is kept when it is new and closed when not. A
  /// known number that now belongs to another file (other type or birth) gets a new Inode; the old one stays until
  /// forgotten. Throws std::bad_alloc.
  Inode& look_up(UniqueFd descriptor, const Found& found);

  /// The kernel drops `count` lookups.
  void forget(Inode& inode, std::uint64_t count) noexcept;

  /// The caller holds a reference already: a lookup of the kernel's while a request on it runs, or a pin.
  [[nodiscard]] InodePin pin(Inode& inode) noexcept;

  /// False when `bound_descriptors` was: all inodes keep theirs.
  [[nodiscard]] bool can_close_descriptors() const noexcept { return open_most_ != 0; }
  /// Inodes that keep their descriptor for good: their file systems have no FileId, or forget it.
  [[nodiscard]] std::size_t kept() const noexcept {
    return can_close_descriptors() ? kept_.load(std::memory_order_relaxed) : size();
  }

  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

 private:
  friend class InodePin;
  struct alignas(64) Shard {
    std::mutex mutex;
    // Guarded by mutex. Inodes that lost their number are in `unlisted`.
    std::unordered_map<InodeKey, std::unique_ptr<Inode>> inodes;
    std::unordered_map<Inode*, std::unique_ptr<Inode>> unlisted;
    std::list<Inode*> open;  ///< inodes with a descriptor that may be closed, those to look at first in front
  };
  using Closing = std::vector<UniqueFd>;  ///< to be closed without the lock: a last close may free a file's blocks

  static constexpr std::size_t kShardBits = 6;  // more than threads serve a mount
  Shard& shard_of(const InodeKey& key) noexcept { return shards_[std::hash<InodeKey>{}(key) >> (64U - kShardBits)]; }
  /// Takes the inode out when nothing refers to it any more. The shard's lock is held; destroy the result outside of
  /// it.
  std::unique_ptr<Inode> take_if_unused(Shard& shard, Inode& inode) noexcept;
  void unpin(Inode& inode) noexcept;

  // Descriptors (inode_descriptors.cc). The shard's lock is held.
  using Place = std::list<Inode*>;  ///< of one element, or none where there is no bound
  [[nodiscard]] Place make_place(Shard& shard, Inode& inode, Closing& closing);
  static void take_place(Shard& shard, Inode& inode, Place place) noexcept;
  static void leave_place(Shard& shard, Inode& inode) noexcept;
  void make_room(Shard& shard, Closing& closing);
  [[nodiscard]] bool give_id(Inode& inode);
  bool close_descriptor(Inode& inode, Closing& closing);
  [[nodiscard]] bool must_keep(Inode& inode) noexcept;
  void restore(Shard& shard, Inode& inode, UniqueFd descriptor, Closing& closing);
  [[nodiscard]] static bool is_same_file(const Inode& inode, const Found& found, const UniqueFd& descriptor);

  std::size_t open_most_ = 0;         ///< for each shard; 0: no bound
  std::atomic<std::size_t> more_{0};  ///< for each shard, beyond open_most_
  std::size_t nameless_most_ = 0;
  std::atomic<std::size_t> kept_{0};
  std::atomic<std::size_t> nameless_{0};
  MountAnchors anchors_;
  MountAnchor source_;
  std::atomic<std::size_t> closed_{0};
  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<std::size_t> size_{0};
};

}  // namespace fairfs::fs
