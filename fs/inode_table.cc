#include "fs/inode_table.h"

namespace fairfs::fs {

InodePin::~InodePin() {
  if (inode_ != nullptr) table_->unpin(*inode_);
}

Inode& InodeTable::look_up(UniqueFd descriptor, const Found& found) {
  Closing closing;
  Shard& shard = shard_of(found.key);
  const std::lock_guard lock{shard.mutex};
  const auto known = shard.inodes.find(found.key);
  if (known != shard.inodes.end()) {
    Inode& inode = *known->second;
    if (is_same_file(inode, found, descriptor)) {
      if (inode.borrowers_.load() == Inode::kClosed) restore(shard, inode, std::move(descriptor), closing);
      ++inode.lookups_;
      return inode;
    }
  }
  auto fresh = std::make_unique<Inode>(std::move(descriptor), found.key, found.type, found.birth, found.apart,
                                       ++generation_);
  Inode& inode = *fresh;
  Place place = make_place(shard, inode, closing);
  if (known != shard.inodes.end()) {
    // The file was deleted while we had no descriptor, or its file system gives numbers away under one (network ones).
    Inode* const old = known->second.get();
    auto& kept = shard.unlisted[old];
    kept = std::move(known->second);
    old->listed_ = false;
    known->second = std::move(fresh);
  } else {
    shard.inodes.emplace(found.key, std::move(fresh));
  }
  take_place(shard, inode, std::move(place));
  inode.lookups_ = 1;
  size_.fetch_add(1, std::memory_order_relaxed);
  return inode;
}

std::unique_ptr<Inode> InodeTable::take_if_unused(Shard& shard, Inode& inode) noexcept {
  if (inode.lookups_ != 0 || inode.pins_ != 0) return nullptr;
  size_.fetch_sub(1, std::memory_order_relaxed);
  leave_place(shard, inode);
  if (inode.kept_) kept_.fetch_sub(1, std::memory_order_relaxed);
  if (inode.nameless_) nameless_.fetch_sub(1, std::memory_order_relaxed);
  if (inode.borrowers_.load() == Inode::kClosed) closed_.fetch_sub(1, std::memory_order_relaxed);
  if (inode.listed_) return std::move(shard.inodes.extract(inode.key).mapped());
  return std::move(shard.unlisted.extract(&inode).mapped());
}

void InodeTable::forget(Inode& inode, std::uint64_t count) noexcept {
  std::unique_ptr<Inode>
      last;  // closed after the lock is released: the last close of an unlinked file frees its blocks
  Shard& shard = shard_of(inode.key);
  const std::lock_guard lock{shard.mutex};
  inode.lookups_ -= count < inode.lookups_ ? count : inode.lookups_;
  last = take_if_unused(shard, inode);
}

InodePin InodeTable::pin(Inode& inode) noexcept {
  const std::lock_guard lock{shard_of(inode.key).mutex};
  ++inode.pins_;
  return {*this, inode};
}

void InodeTable::unpin(Inode& inode) noexcept {
  std::unique_ptr<Inode> last;
  Shard& shard = shard_of(inode.key);
  const std::lock_guard lock{shard.mutex};
  --inode.pins_;
  last = take_if_unused(shard, inode);
}

}  // namespace fairfs::fs
