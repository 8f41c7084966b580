#include "fs/sys.h"

#include <sys/sysmacros.h>

#include <algorithm>
#include <charconv>

namespace fairfs::fs::sys {
namespace {

timespec time_of(const statx_timestamp& stamp) noexcept {
  return {.tv_sec = static_cast<time_t>(stamp.tv_sec), .tv_nsec = static_cast<long>(stamp.tv_nsec)};
}

}  // namespace

int status(int fd, Freshness freshness, Status& out) noexcept {
  struct statx found {};
  const int flags =
      AT_EMPTY_PATH | AT_NO_AUTOMOUNT | (freshness == Freshness::any ? AT_STATX_DONT_SYNC : AT_STATX_SYNC_AS_STAT);
  if (const int error = checked(::statx(fd, "", flags, STATX_BASIC_STATS | STATX_BTIME | STATX_MNT_ID, &found));
      error < 0)
    return error;
  struct stat& to = out.attributes;
  to = {};
  to.st_dev = makedev(found.stx_dev_major, found.stx_dev_minor);
  to.st_ino = found.stx_ino;
  to.st_mode = found.stx_mode;
  to.st_nlink = found.stx_nlink;
  to.st_uid = found.stx_uid;
  to.st_gid = found.stx_gid;
  to.st_rdev = makedev(found.stx_rdev_major, found.stx_rdev_minor);
  to.st_size = static_cast<off_t>(found.stx_size);
  to.st_blksize = static_cast<blksize_t>(found.stx_blksize);
  to.st_blocks = static_cast<blkcnt_t>(found.stx_blocks);
  to.st_atim = time_of(found.stx_atime);
  to.st_mtim = time_of(found.stx_mtime);
  to.st_ctim = time_of(found.stx_ctime);
  out.birth =
      (found.stx_mask & STATX_BTIME) != 0 ? found.stx_btime.tv_sec * 1'000'000'000 + found.stx_btime.tv_nsec : 0;
  out.mount_root = (found.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
  out.mount = (found.stx_mask & STATX_MNT_ID) != 0 ? found.stx_mnt_id : 0;
  return 0;
}

FdName::FdName(int fd) noexcept {
  char* const digits = std::copy(kDirectory.begin(), kDirectory.end() - 1, text_.data());
  *std::to_chars(digits, text_.data() + text_.size() - 1, fd).ptr = '\0';
}

}  // namespace fairfs::fs::sys
