// A hold on an inode.
#pragma once

#include <utility>

#include "fs/inode.h"

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
  explicit operator bool() const noexcept { return inode_ != nullptr; }
  Inode& operator*() const noexcept { return *inode_; }
  Inode* operator->() const noexcept { return inode_; }

 private:
  friend class InodeTable;
  InodePin(InodeTable& table, Inode& inode) noexcept : table_(&table), inode_(&inode) {}
  InodeTable* table_ = nullptr;
  Inode* inode_ = nullptr;
};

}  // namespace fairfs::fs
