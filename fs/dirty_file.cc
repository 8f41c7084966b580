#include "fs/dirty_file.h"

#include <fcntl.h>

#include "fs/sys.h"

namespace fairfs::fs {

void DirtyFile::start(WriteOut how, std::span<const sched::FileSpan> spans) noexcept {
  const UniqueFd fd = open();
  if (!fd) return;
  for (const auto& [file, span] : spans) keep(start_write_out(how, fd.get(), span.offset, span.length));
}

void DirtyFile::finish(WriteOut how, std::span<const sched::FileSpan> spans) noexcept {
  const UniqueFd fd = open();
  if (!fd) return;
  for (const auto& [file, span] : spans) keep(finish_write_out(how, fd.get(), span.offset, span.length));
}

UniqueFd DirtyFile::open() const noexcept {
  const BorrowedFd file = inodes_.borrow(*inode_);
  if (!file) return UniqueFd{file.error()};
  const sys::FdName name{file.get()};
  // For reading: a file open for writing can't be executed. Some may only be written, though; and where neither is
  // granted (an ordinary user's mount), the kernel's own flusher does it.
  UniqueFd fd = sys::open_at(proc_fd_, name.within(), O_RDONLY | O_NOCTTY);
  return fd ? std::move(fd) : sys::open_at(proc_fd_, name.within(), O_WRONLY | O_NOCTTY);
}

void DirtyFile::keep(int error) noexcept {
  if (error < 0) inode_->write_error.store(error);
}

}  // namespace fairfs::fs
