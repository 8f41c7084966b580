// The descriptor of an inode, for as long as it is needed.
#pragma once

#include <utility>

#include "fs/inode.h"

namespace fairfs::fs {

/// Holds an inode's descriptor open, or the negative errno that says why there is none (-ESTALE: the file is gone).
/// Given by InodeTable::borrow. Movable, not thread-safe. The inode must outlive it.
class BorrowedFd {
 public:
  BorrowedFd(BorrowedFd&& other) noexcept : inode_(std::exchange(other.inode_, nullptr)), value_(other.value_) {}
  BorrowedFd& operator=(BorrowedFd&&) = delete;
  ~BorrowedFd() {
    if (inode_ != nullptr) inode_->borrowers_.fetch_sub(1, std::memory_order_release);
  }

  explicit operator bool() const noexcept { return value_ >= 0; }
  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] int error() const noexcept { return value_; }

 private:
  friend class InodeTable;
  /// `borrowers_` counts the caller already.
  explicit BorrowedFd(const Inode& inode) noexcept : inode_(const_cast<Inode*>(&inode)), value_(inode.fd_.get()) {}
  explicit BorrowedFd(int error) noexcept : value_(error) {}

  Inode* inode_ = nullptr;
  int value_;
};

}  // namespace fairfs::fs
