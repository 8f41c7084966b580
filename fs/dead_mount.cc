// What a daemon that died leaves behind: a mount that answers ENOTCONN until somebody takes it away.
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string>
#include <system_error>

#include "fs/filesystem.h"
#include "fs/mounting.h"

namespace fairfs::fs {
namespace {

bool is_dead(const std::string& mountpoint) noexcept {
  struct statx status;  // asked anew: for a second after the end the kernel still knows the answer to a plain stat
  return ::statx(AT_FDCWD, mountpoint.c_str(), AT_STATX_FORCE_SYNC, STATX_TYPE, &status) != 0 && errno == ENOTCONN;
}

/// By its device number, which is known without asking the filesystem, however the path to it is written.
bool is_ours(dev_t device) {
  const std::string number = " " + std::to_string(major(device)) + ":" + std::to_string(minor(device)) + " ";
  std::ifstream mounts{"/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);) {
    if (line.find(number) != line.npos && line.find(" - fuse.fairfs ") != line.npos) return true;
  }
  return false;
}

int detach(const std::string& mountpoint) {
  if (::geteuid() != 0) return detach_as_user(mountpoint) ? 0 : EPERM;
  return ::umount2(mountpoint.c_str(), MNT_DETACH) == 0 ? 0 : errno;
}

}  // namespace

bool clear_dead_mount(const std::string& mountpoint) {
  if (!is_dead(mountpoint) || !is_ours(mounted_device(mountpoint))) return false;
  if (const int error = detach(mountpoint); error != 0)
    throw std::system_error(error, std::generic_category(), "taking the dead mount away from " + mountpoint);
  return true;
}

}  // namespace fairfs::fs
