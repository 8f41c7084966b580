#include "fs/mounting.h"

#include <fcntl.h>
#include <spawn.h>
#include <spdlog/spdlog.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>

#include "fs/unique_fd.h"

namespace fairfs::fs {

namespace {

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

dev_t device_at(int directory, const char* path, int flags) noexcept {
  struct statx status;
  if (::statx(directory, path, flags | AT_STATX_DONT_SYNC, STATX_TYPE, &status) != 0) return 0;
  return makedev(status.stx_dev_major, status.stx_dev_minor);
}

/// As /proc/self/mountinfo writes paths: blanks and the like as backslash and three octal digits.
std::string unescaped(const std::string& written) {
  std::string path;
  for (std::size_t i = 0; i < written.size(); ++i) {
    if (written[i] == '\\' && i + 3 < written.size()) {
      path += static_cast<char>(std::stoi(written.substr(i + 1, 3), nullptr, 8));
      i += 3;
    } else {
      path += written[i];
    }
  }
  return path;
}

UniqueFd open_readahead(dev_t file_system, int flags) noexcept {
  char path[96];
  std::snprintf(path, sizeof path, "/sys/class/bdi/%u:%u/read_ahead_kb", major(file_system), minor(file_system));
  return UniqueFd{::open(path, flags | O_CLOEXEC)};
}

/// Where the file system is mounted as a whole: `likely` if there, else the last place; empty: nowhere.
std::string place_of(dev_t device, const std::string& likely) {
  const std::string number = std::to_string(major(device)) + ":" + std::to_string(minor(device));
  std::ifstream mounts{"/proc/self/mountinfo"};
  std::string last;
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words{line};
    std::string id, parent, numbers, root, place;
    if (!(words >> id >> parent >> numbers >> root >> place) || numbers != number || root != "/") continue;
    last = unescaped(place);
    if (last == likely) break;
  }
  return last;
}

}  // namespace

void mount_as_root(const MountConfig& config, int device) {
  char options[160];
  std::snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u,default_permissions,allow_other",
                device, static_cast<unsigned>(::getuid()), static_cast<unsigned>(::getgid()));
  const std::string& name = config.fsname.empty() ? config.source : config.fsname;
  if (::mount(name.c_str(), config.mountpoint.c_str(), "fuse.fairfs", config.mount_flags, options) != 0)
    fail(errno, "mounting on " + config.mountpoint);
}

bool detach_as_user(const std::string& mountpoint) {
  std::string program = "fusermount3", detach = "-uzq", end = "--", path = mountpoint;
  char* const arguments[] = {program.data(), detach.data(), end.data(), path.data(), nullptr};
  pid_t child = 0;
  if (::posix_spawnp(&child, program.c_str(), nullptr, nullptr, arguments, environ) != 0) return false;
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool unmount(const std::string& mountpoint) noexcept {
  if (::geteuid() != 0) return detach_as_user(mountpoint);
  if (::umount2(mountpoint.c_str(), UMOUNT_NOFOLLOW) == 0) return true;
  return errno == EBUSY && ::umount2(mountpoint.c_str(), MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
}

bool unmount_device(dev_t device, const std::string& mountpoint) noexcept {
  if (device == 0) return unmount(mountpoint);
  std::string place;
  try {
    place = place_of(device, mountpoint);
  } catch (const std::exception&) {
    place = mountpoint;  // no memory
  }
  if (place.empty()) return true;
  if (mounted_device(place) == device) return unmount(place);
  spdlog::warn("{}: something else is mounted over it, so it stays; unmount that, then this", place);
  return false;
}

dev_t mounted_device(const std::string& mountpoint) noexcept { return device_at(AT_FDCWD, mountpoint.c_str(), 0); }

dev_t mounted_device(int directory) noexcept { return device_at(directory, "", AT_EMPTY_PATH); }

unsigned readahead_of(dev_t file_system) noexcept {
  const UniqueFd fd = open_readahead(file_system, O_RDONLY);
  char text[16]{};
  return fd && ::read(fd.get(), text, sizeof text - 1) > 0 ? static_cast<unsigned>(std::strtoul(text, nullptr, 10)) : 0;
}

void set_readahead(dev_t mount, unsigned kib) noexcept {
  const UniqueFd fd = open_readahead(mount, O_WRONLY);
  char text[16];
  const int length = std::snprintf(text, sizeof text, "%u", kib);
  if (fd && ::write(fd.get(), text, static_cast<std::size_t>(length)) < 0) spdlog::debug("readahead: not set");
}

}  // namespace fairfs::fs
