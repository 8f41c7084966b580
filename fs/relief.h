// What is done when the process has no descriptor left.
#pragma once

#include <cerrno>
#include <functional>

namespace fairfs::fs {

/// While it lives, system calls that find the process's descriptors used up have `free` called and are tried once more.
/// `free` closes some and says whether it did; it is called from any thread, which may hold locks that are leaves
/// (README). One at a time in a process, as the limit is the process's.
class Relief {
 public:
  explicit Relief(std::function<bool()> free);
  ~Relief();
  Relief(const Relief&) = delete;
  Relief& operator=(const Relief&) = delete;

  /// True when some were freed.
  [[nodiscard]] static bool give() noexcept;

 private:
  const std::function<bool()> free_;
};

/// What `open()` returns: a descriptor, or -errno as a caller of ours may see it: EMFILE would mean the caller's own
/// descriptors, so it is told ENFILE.
template <class Open>
[[nodiscard]] int relieved(const Open& open) noexcept {
  int fd = open();
  if (fd < 0 && errno == EMFILE && Relief::give()) fd = open();
  if (fd >= 0) return fd;
  return errno == EMFILE ? -ENFILE : -errno;
}

}  // namespace fairfs::fs
