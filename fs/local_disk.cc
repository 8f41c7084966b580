#include "fs/local_disk.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include "fs/sys.h"

namespace fairfs::fs {
namespace {

constexpr unsigned kXfsMagic = 0x58465342;  // XFS_SUPER_MAGIC, not in linux/magic.h

}  // namespace

bool is_local(int fd) noexcept {
  struct statfs found {};
  if (sys::checked(::fstatfs(fd, &found)) < 0) return false;
  switch (static_cast<unsigned>(found.f_type)) {
    case EXT4_SUPER_MAGIC:
    case BTRFS_SUPER_MAGIC:
    case TMPFS_MAGIC:
    case kXfsMagic:
      return true;
    default:
      return false;
  }
}

}  // namespace fairfs::fs
