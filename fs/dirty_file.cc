#include "fs/dirty_file.h"

#include <fcntl.h>

#include "fs/sys.h"

namespace fairfs::fs {

void DirtyFile::start(WriteOut how, const sched::DirtyExtents::Span& span) noexcept {
  if (const int fd = descriptor(); fd >= 0) keep(start_write_out(how, fd, span.offset, span.length));
}

void DirtyFile::finish(WriteOut how, const sched::DirtyExtents::Span& span) noexcept {
  if (const int fd = descriptor(); fd >= 0) keep(finish_write_out(how, fd, span.offset, span.length));
}

int DirtyFile::descriptor() noexcept {
  const std::lock_guard lock{mutex_};
  if (!fd_) {
    const BorrowedFd file = inodes_.borrow(*inode_);
    if (!file) return file.error();
    const sys::FdName name{file.get()};
    // For reading: a file open for writing can't be executed. Some may only be written, though; and where neither is
    // granted (an ordinary user's mount), the kernel's own flusher does it.
    fd_ = sys::open_at(proc_fd_, name.within(), O_RDONLY | O_NOCTTY);
    if (!fd_) fd_ = sys::open_at(proc_fd_, name.within(), O_WRONLY | O_NOCTTY);
  }
  return fd_ ? fd_.get() : fd_.error();
}

void DirtyFile::keep(int error) noexcept {
  if (error < 0) inode_->write_error.store(error);
}

}  // namespace fairfs::fs
