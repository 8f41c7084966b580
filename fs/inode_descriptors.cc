// Which inodes have a descriptor, and how the others get theirs back.
#include <algorithm>
#include <new>

#include "fs/inode_table.h"

namespace fairfs::fs {
namespace {

// How many inodes one lookup may look at to find a descriptor that can go. More than one, so that the number comes back
// under the bound after a time in which all were in use; few, because the shard is locked.
constexpr int kLookAtMost = 4;

bool has_a_name(int fd) noexcept {
  sys::Status status;
  return sys::status(fd, sys::Freshness::any, status) == 0 && status.attributes.st_nlink > 0;
}

}  // namespace

bool InodeTable::bound_descriptors(std::size_t most, const UniqueFd& source) {
  const auto located = FileId::of(source.get());
  if (!located) return false;
  source_ = anchors_.find(located->mount, source.get(), S_IFDIR);
  if (!source_ || !located->id.open(*source_)) return false;
  open_most_ = std::max<std::size_t>(most / shards_.size(), 1);
  nameless_most_ = most / 2;
  return true;
}

BorrowedFd InodeTable::borrow(Inode& inode) noexcept {
  InodePin held = pin(inode);
  for (;;) {
    int borrowers = inode.borrowers_.load(std::memory_order_acquire);
    while (borrowers != Inode::kClosed) {
      if (!inode.borrowers_.compare_exchange_weak(borrowers, borrowers + 1, std::memory_order_acquire)) continue;
      if (!inode.used_lately_.load(std::memory_order_relaxed))
        inode.used_lately_.store(true, std::memory_order_relaxed);
      return BorrowedFd{std::move(held)};
    }
    UniqueFd opened = inode.id_->open(*inode.anchor_);  // may wait for the disk: without the lock
    if (!opened) return BorrowedFd{opened.error()};
    Closing closing;
    Shard& shard = shard_of(inode.key);
    const std::lock_guard lock{shard.mutex};
    try {
      if (inode.borrowers_.load() == Inode::kClosed) restore(shard, inode, std::move(opened), closing);
    } catch (const std::bad_alloc&) {
      return BorrowedFd{-ENOMEM};
    }
  }
}

void InodeTable::keep(UniqueFd descriptor, const InodeKey& key) noexcept try {
  Closing closing;
  Shard& shard = shard_of(key);
  const std::lock_guard lock{shard.mutex};
  const auto known = shard.inodes.find(key);
  if (known == shard.inodes.end() || known->second->borrowers_.load() != Inode::kClosed) return;
  Inode& inode = *known->second;
  if (const auto located = FileId::of(descriptor.get()); located && located->id == *inode.id_)
    restore(shard, inode, std::move(descriptor), closing);
} catch (const std::bad_alloc&) {  // its file may be lost to those who hold it by a path descriptor alone
}

bool InodeTable::is_same_file(const Inode& inode, const Found& found, const UniqueFd& descriptor) {
  if (inode.type != found.type || inode.birth != found.birth) return false;
  if (inode.borrowers_.load() != Inode::kClosed) return true;  // pinned, so the number can't have gone elsewhere
  const auto located = FileId::of(descriptor.get());
  return located && located->id == *inode.id_;
}

void InodeTable::restore(Shard& shard, Inode& inode, UniqueFd descriptor, Closing& closing) {
  take_place(shard, inode, make_place(shard, inode, closing));
  inode.fd_ = std::move(descriptor);
  inode.used_lately_.store(true, std::memory_order_relaxed);
  closed_.fetch_sub(1, std::memory_order_relaxed);
  inode.borrowers_.store(0, std::memory_order_release);
}

InodeTable::Place InodeTable::make_place(Shard& shard, Inode& inode, Closing& closing) {
  if (open_most_ == 0) return {};
  make_room(shard, closing);
  return Place{&inode};
}

void InodeTable::take_place(Shard& shard, Inode& inode, Place place) noexcept {
  if (place.empty()) return;
  inode.place_ = place.begin();
  inode.placed_ = true;
  shard.open.splice(shard.open.end(), place);
}

void InodeTable::leave_place(Shard& shard, Inode& inode) noexcept {
  if (inode.placed_) shard.open.erase(inode.place_);
  inode.placed_ = false;
}

/// Second chance: an inode used since it was last looked at goes to the back.
void InodeTable::make_room(Shard& shard, Closing& closing) {
  const std::size_t most = open_most_ + more_.load(std::memory_order_relaxed);
  for (int i = 0; i < kLookAtMost && shard.open.size() >= most; ++i) {
    Inode& inode = *shard.open.front();
    if (!give_id(inode)) {
      leave_place(shard, inode);
      inode.kept_ = true;
      kept_.fetch_add(1, std::memory_order_relaxed);
    } else if (!inode.used_lately_.exchange(false, std::memory_order_relaxed) && close_descriptor(inode, closing)) {
      leave_place(shard, inode);
    } else {
      shard.open.splice(shard.open.end(), shard.open, shard.open.begin());
    }
  }
}

bool InodeTable::give_id(Inode& inode) {
  if (inode.id_) return true;
  auto located = FileId::of(inode.fd_.get());
  if (!located) return false;
  inode.anchor_ = anchors_.find(located->mount, inode.fd_.get(), inode.type);
  if (!inode.anchor_) return false;
  inode.id_ = std::move(located->id);
  return true;
}

bool InodeTable::close_descriptor(Inode& inode, Closing& closing) {
  closing.reserve(closing.size() + 1);
  int nobody = 0;
  if (!inode.borrowers_.compare_exchange_strong(nobody, Inode::kClosed)) return false;
  closed_.fetch_add(1);
  // Asked only now: whoever takes the last name from here on calls `keep` first.
  if (!has_a_name(inode.fd_.get()) && must_keep(inode)) {
    closed_.fetch_sub(1);
    inode.borrowers_.store(0);
    return false;
  }
  if (std::exchange(inode.nameless_, false)) nameless_.fetch_sub(1, std::memory_order_relaxed);
  closing.push_back(std::move(inode.fd_));
  return true;
}

/// Of a file without a name. One that a handle has open is bounded with the handles; of the others only so many can be
/// kept, or a user who removes what is held by O_PATH could use up all descriptors without ever opening a file.
bool InodeTable::must_keep(Inode& inode) noexcept {
  if (inode.pins_ != 0) return true;
  if (!std::exchange(inode.nameless_, true)) nameless_.fetch_add(1, std::memory_order_relaxed);
  return nameless_.load(std::memory_order_relaxed) <= nameless_most_;
}

std::size_t InodeTable::free_descriptors(std::size_t wanted) noexcept {
  Closing closing;
  for (Shard& shard : shards_) {
    if (closing.size() >= wanted) break;
    try {
      const std::lock_guard lock{shard.mutex};
      for (std::size_t left = shard.open.size(); left > 0 && closing.size() < wanted; --left) {
        Inode& inode = *shard.open.front();
        if (give_id(inode) && close_descriptor(inode, closing))
          leave_place(shard, inode);
        else
          shard.open.splice(shard.open.end(), shard.open, shard.open.begin());
      }
    } catch (const std::bad_alloc&) {
      break;
    }
  }
  return closing.size();
}

}  // namespace fairfs::fs
