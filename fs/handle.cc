#include "fs/handle.h"

#include <fcntl.h>

namespace fairfs::fs {
namespace {

bool writes(int flags) noexcept { return (flags & O_ACCMODE) != O_RDONLY; }

}  // namespace

FileHandle::FileHandle(UniqueFd descriptor, InodePin pinned, int open_flags)
    : fd(std::move(descriptor)), inode(std::move(pinned)), flags(open_flags), direct((open_flags & O_DIRECT) != 0) {
  if (writes(flags)) inode->writers.fetch_add(1);
}

FileHandle::~FileHandle() {
  if (writes(flags)) inode->writers.fetch_sub(1);
}

}  // namespace fairfs::fs
