// What reads and writes need of a handle.
#include <fcntl.h>

#include "fs/handle.h"
#include "fs/sys.h"

namespace fairfs::fs {

int FileHandle::page_writer(int proc_fd) noexcept {
  if ((flags() & (O_APPEND | O_DIRECT)) == 0) return fd.get();
  const std::lock_guard lock{mutex_};
  if (!page_writer_) {
    page_writer_ = sys::open_at(proc_fd, sys::FdName{fd.get()}.within(), O_WRONLY);
  }
  return page_writer_ ? page_writer_.get() : page_writer_.error();
}

int FileHandle::flushed(int result) noexcept {
  if (result == -EINTR) return result;  // killed before it began
  const int inherited = inherited_error_.exchange(0);
  if (result == 0) result = inherited;
  if (result < 0) inode->write_error.store(0);
  return result;
}

void FileHandle::disable_backing_readahead() noexcept {
  if (readahead_disabled_.load(std::memory_order_relaxed)) return;
  readahead_disabled_.store(true, std::memory_order_relaxed);
  ::posix_fadvise(fd.get(), 0, 0, POSIX_FADV_RANDOM);
}

}  // namespace fairfs::fs
