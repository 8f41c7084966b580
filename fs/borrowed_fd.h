// The descriptor of an inode, for as long as it is needed.
#pragma once

#include "fs/inode_pin.h"

namespace fairfs::fs {

/// Holds an inode's descriptor open, or the negative errno that says why there is none (-ESTALE: the file is gone).
/// Given by InodeTable::borrow. Holds the inode too: the kernel may forget it as soon as it has an answer, which is
/// before the handler returns. Movable, not thread-safe. The table must outlive it.
class BorrowedFd {
 public:
  BorrowedFd(BorrowedFd&&) noexcept = default;
  BorrowedFd& operator=(BorrowedFd&&) = delete;
  ~BorrowedFd() {
    if (pin_) pin_->borrowers_.fetch_sub(1, std::memory_order_release);
  }

  explicit operator bool() const noexcept { return value_ >= 0; }
  [[nodiscard]] int get() const noexcept { return value_; }
  [[nodiscard]] int error() const noexcept { return value_; }

 private:
  friend class InodeTable;
  /// `borrowers_` counts the caller already.
  explicit BorrowedFd(InodePin pin) noexcept : pin_(std::move(pin)), value_(pin_->fd_.get()) {}
  explicit BorrowedFd(int error) noexcept : value_(error) {}

  InodePin pin_;
  int value_;
};

}  // namespace fairfs::fs
