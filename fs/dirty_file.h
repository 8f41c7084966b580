// A file with bytes that write-behind has to send to the disk.
#pragma once

#include <span>

#include "fs/inode_table.h"
#include "fs/unique_fd.h"
#include "fs/write_out.h"
#include "sched/write_behind.h"

namespace fairfs::fs {

/// Keeps the inode, and opens it anew for each call, once for all its spans: what it learns of failed writes must not
/// be taken from those who have the file open, whose descriptors tell each of them once; and any number of files may be
/// dirty, while descriptors are few. A new descriptor still tells an error that nobody has been told. Thread-safe.
class DirtyFile {
 public:
  /// The caller holds a reference on the inode.
  DirtyFile(InodeTable& inodes, Inode& inode, int proc_fd)
      : inodes_(inodes), inode_(inodes.pin(inode)), proc_fd_(proc_fd) {}

  [[nodiscard]] Inode& inode() const noexcept { return *inode_; }

  void start(WriteOut how, std::span<const sched::FileSpan> spans) noexcept;
  /// Waits until the spans, all of this file, are written. An error is kept in the inode, for those who open the file
  /// from now on.
  void finish(WriteOut how, std::span<const sched::FileSpan> spans) noexcept;

 private:
  [[nodiscard]] UniqueFd open() const noexcept;
  void keep(int error) noexcept;

  InodeTable& inodes_;
  const InodePin inode_;
  const int proc_fd_;
};

}  // namespace fairfs::fs
