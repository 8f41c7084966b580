#include "fs/handle.h"

#include <fcntl.h>

namespace fairfs::fs {
namespace {

bool writes(int flags) noexcept { return (flags & O_ACCMODE) != O_RDONLY; }

}  // namespace

FileHandle::FileHandle(OpenHandles& all, HandleSeat allowed, UniqueFd descriptor, InodePin pinned, int open_flags)
    : OpenHandle(all),
      seat(std::move(allowed)),
      fd(std::move(descriptor)),
      inode(std::move(pinned)),
      flags_(open_flags),
      asked_(open_flags),
      inherited_error_(inode->write_error.load()) {
  if (writes(open_flags)) inode->writers.fetch_add(1);
}

FileHandle::~FileHandle() {
  if (writes(flags())) inode->writers.fetch_sub(1);
}

void FileHandle::change(int wanted) noexcept {
  const std::lock_guard lock{mutex_};
  int changed = (flags() & ~kChangeable) | wanted;
  if (::fcntl(fd.get(), F_SETFL, changed) != 0) {
    changed &= ~O_DIRECT;  // refused; the kernel has told the caller that it is set, so go on without
    ::fcntl(fd.get(), F_SETFL, changed);
  }
  flags_.store(changed, std::memory_order_relaxed);
  asked_.store(wanted, std::memory_order_relaxed);
}

}  // namespace fairfs::fs
