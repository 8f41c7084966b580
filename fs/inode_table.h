// All inodes in use, and who holds them.
#pragma once

#include <sys/types.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <utility>

#include "fs/inode.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

class InodeTable;

/// A handle's hold on its inode. Movable; releases on destruction. The table must outlive it.
class InodePin {
 public:
  InodePin() = default;
  InodePin(InodePin&& other) noexcept : table_(other.table_), inode_(std::exchange(other.inode_, nullptr)) {}
  InodePin& operator=(InodePin&& other) noexcept {
    std::swap(table_, other.table_);
    std::swap(inode_, other.inode_);
    return *this;
  }
  ~InodePin();
  Inode& operator*() const noexcept { return *inode_; }
  Inode* operator->() const noexcept { return inode_; }

 private:
  friend class InodeTable;
  InodePin(InodeTable& table, Inode& inode) noexcept : table_(&table), inode_(&inode) {}
  InodeTable* table_ = nullptr;
  Inode* inode_ = nullptr;
};

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
  };

  /// The inode of `found`, with one lookup more; `descriptor` (O_PATH) is kept when it is new and closed when not. A
  /// known number that now belongs to another file (other type or birth) gets a new Inode; the old one stays until
  /// forgotten. Throws std::bad_alloc.
  Inode& look_up(UniqueFd descriptor, const Found& found);

  /// The kernel drops `count` lookups.
  void forget(Inode& inode, std::uint64_t count) noexcept;

  /// The caller holds a reference already: a lookup of the kernel's while a request on it runs, or a pin.
  [[nodiscard]] InodePin pin(Inode& inode) noexcept;

  [[nodiscard]] std::size_t size() const noexcept { return size_.load(std::memory_order_relaxed); }

 private:
  friend class InodePin;
  struct alignas(64) Shard {
    std::mutex mutex;
    // Guarded by mutex. Inodes that lost their number are in `unlisted`.
    std::unordered_map<InodeKey, std::unique_ptr<Inode>> inodes;
    std::unordered_map<Inode*, std::unique_ptr<Inode>> unlisted;
  };

  static constexpr std::size_t kShardBits = 6;  // more than threads serve a mount
  Shard& shard_of(const InodeKey& key) noexcept { return shards_[std::hash<InodeKey>{}(key) >> (64U - kShardBits)]; }
  /// Takes the inode out when nothing refers to it any more. The shard's lock is held; destroy the result outside of
  /// it.
  std::unique_ptr<Inode> take_if_unused(Shard& shard, Inode& inode) noexcept;
  void unpin(Inode& inode) noexcept;

  std::array<Shard, std::size_t{1} << kShardBits> shards_;
  std::atomic<std::uint64_t> generation_{0};
  std::atomic<std::size_t> size_{0};
};

}  // namespace fairfs::fs
