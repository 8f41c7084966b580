// One thin wrapper for each system call that handlers make: errno is read once, here, and returned negated.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

#include "fs/relief.h"
#include "fs/unique_fd.h"

namespace fairfs::fs::sys {

/// What a system call returned, or -errno.
template <class Result>
[[nodiscard]] Result checked(Result result) noexcept {
  return result < 0 ? static_cast<Result>(-errno) : result;
}

[[nodiscard]] inline UniqueFd open_at(int directory, const char* name, int flags, mode_t mode = 0) noexcept {
  return UniqueFd{relieved([&] { return ::openat(directory, name, flags | O_CLOEXEC, mode); })};
}

/// Works on O_PATH descriptors too, as most here do.
[[nodiscard]] inline int stat(int fd, struct stat& out) noexcept { return checked(::fstat(fd, &out)); }

struct Status {
  struct stat attributes;
  std::int64_t birth = 0;   ///< ns since 1970, 0 when the file system tells none
  std::uint64_t mount = 0;  ///< number in /proc/self/mountinfo; 0 before Linux 5.8
  bool mount_root = false;  ///< something is mounted there, and this is its root
};
enum class Freshness { any, current };
/// `any` never asks a network or FUSE server, so it can't block on one (on ourselves, above all), but may be out of
/// date.
[[nodiscard]] int status(int fd, Freshness freshness, Status& out) noexcept;

/// Name of descriptor `fd` within /proc/self/fd, and with that directory in front. The only way to a second open of a
/// file, and to calls that take no O_PATH descriptor.
class FdName {
 public:
  explicit FdName(int fd) noexcept;
  [[nodiscard]] const char* within() const noexcept { return text_.data() + kDirectory.size() - 1; }
  [[nodiscard]] const char* path() const noexcept { return text_.data(); }

 private:
  static constexpr std::array kDirectory{'/', 'p', 'r', 'o', 'c', '/', 's', 'e', 'l', 'f', '/', 'f', 'd', '/', '\0'};
  std::array<char, kDirectory.size() + 11> text_;  // and the digits of an int
};

}  // namespace fairfs::fs::sys
