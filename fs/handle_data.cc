// What reads and writes need of a handle.
#include <fcntl.h>

#include "fs/handle.h"
#include "fs/sys.h"

namespace fairfs::fs {

ssize_t FileHandle::write_pages(int proc_fd, const char* data, std::size_t size, off_t offset) const noexcept {
  if ((flags() & (O_APPEND | O_DIRECT)) == 0) return sys::checked(::pwrite(fd.get(), data, size, offset));
  // Not kept: a handle has one descriptor, and those of the requests at work are bounded by their threads.
  const UniqueFd plain = sys::open_at(proc_fd, sys::FdName{fd.get()}.within(), O_WRONLY);
  return plain ? sys::checked(::pwrite(plain.get(), data, size, offset)) : plain.error();
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
