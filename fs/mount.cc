#include "fs/mount.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <string>
#include <system_error>

#include "fs/sys.h"

namespace fairfs::fs {
namespace {

constexpr unsigned kXfsMagic = 0x58465342;  // XFS_SUPER_MAGIC, not in linux/magic.h

UniqueFd opened(const std::string& path) {
  UniqueFd fd = sys::open_at(AT_FDCWD, path.c_str(), O_PATH | O_DIRECTORY);
  if (!fd) throw std::system_error(-fd.error(), std::generic_category(), "open " + path);
  return fd;
}

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

}  // namespace

Mount::Mount(const MountConfig& settings, engine::Engine& scheduler)
    : config(settings), engine(scheduler), proc_fd(opened("/proc/self/fd")) {
  UniqueFd source = opened(config.source);
  source_is_local = is_local(source.get());
  sys::Status status;
  if (const int error = sys::status(source.get(), sys::Freshness::current, status); error < 0)
    throw std::system_error(-error, std::generic_category(), "stat " + config.source);
  const struct stat& found = status.attributes;
  root = &inodes.look_up(
      std::move(source),
      {.key = {.device = found.st_dev, .number = found.st_ino}, .type = found.st_mode & S_IFMT, .birth = status.birth});
}

ino_t visible_number(const Mount& mount, const InodeKey& key) noexcept {
  if (key.device == mount.root->key.device) return key.number;
  // The upper half of a number is seldom used: the device goes there, spread by Fibonacci hashing.
  return key.number ^ ((key.device * 0x9E3779B97F4A7C15U) & 0xFFFF'FFFF'0000'0000U);
}

}  // namespace fairfs::fs
