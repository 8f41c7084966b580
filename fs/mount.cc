#include "fs/mount.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "fs/local_disk.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

UniqueFd opened(const std::string& path) {
  UniqueFd fd = sys::open_at(AT_FDCWD, path.c_str(), O_PATH | O_DIRECTORY);
  if (!fd) throw std::system_error(-fd.error(), std::generic_category(), "open " + path);
  return fd;
}

/// How many descriptors inodes may have together: half of what the process may open, since the callers' open files need
/// theirs too; and each keeps kernel memory of some 1.5 KiB (a dentry and an inode of the source) from being reclaimed.
std::size_t descriptors_most() noexcept {
  constexpr rlim_t kMost = 65536;
  rlimit limit{};
  if (::getrlimit(RLIMIT_NOFILE, &limit) != 0) return kMost / 2;
  return static_cast<std::size_t>(std::min(limit.rlim_cur / 2, kMost));
}

}  // namespace

Mount::Mount(const MountConfig& settings, engine::Engine& scheduler)
    : config(settings),
      engine(scheduler),
      proc_fd(opened("/proc/self/fd")),
      write_behind(scheduler, inodes, {proc_fd.get(), write_out_of(opened(config.source).get()), config.write_behind}) {
  UniqueFd source = opened(config.source);
  source_is_local = is_local(source.get());
  sys::Status status;
  if (const int error = sys::status(source.get(), sys::Freshness::current, status); error < 0)
    throw std::system_error(-error, std::generic_category(), "stat " + config.source);
  const struct stat& found = status.attributes;
  const UniqueFd top{::fcntl(source.get(), F_DUPFD_CLOEXEC, 0)};
  root = &inodes.look_up(
      std::move(source),
      {.key = {.device = found.st_dev, .number = found.st_ino}, .type = found.st_mode & S_IFMT, .birth = status.birth});
  if (top && !inodes.bound_descriptors(descriptors_most(), top))
    spdlog::debug("{}: files can't be opened by handle, so each one the kernel knows holds a descriptor",
                  config.source);
}

ino_t visible_number(const Mount& mount, const InodeKey& key) noexcept {
  if (key.device == mount.root->key.device) return key.number;
  // The upper half of a number is seldom used: the device goes there, spread by Fibonacci hashing.
  return key.number ^ ((key.device * 0x9E3779B97F4A7C15U) & 0xFFFF'FFFF'0000'0000U);
}

}  // namespace fairfs::fs
