#include "fs/device.h"

#include <dirent.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

#include "fs/kernel_order.h"

namespace fairfs::fs {

namespace {

UniqueFd open_device(int flags) {
  UniqueFd fd{::open("/dev/fuse", O_RDWR | O_CLOEXEC | flags)};
  if (!fd) throw std::system_error(errno, std::generic_category(), "opening /dev/fuse (is the fuse module loaded?)");
  return fd;
}

}  // namespace

Device Device::open() {
  Device device;
  device.waiting_ = open_device(0);
  return device;
}

Device Device::adopt(UniqueFd connected) {
  Device device;
  device.waiting_ = std::move(connected);
  return device;
}

void Device::connect() {
  looking_ = open_device(O_NONBLOCK);
  std::uint32_t source = static_cast<std::uint32_t>(waiting_.get());
  if (::ioctl(looking_.get(), FUSE_DEV_IOC_CLONE, &source) != 0)
    throw std::system_error(errno, std::generic_category(), "cloning the FUSE device");
  readiness_ = UniqueFd{::epoll_create1(EPOLL_CLOEXEC)};
  epoll_event any{.events = EPOLLIN | EPOLLEXCLUSIVE, .data = {}};  // exclusive: whoever reads at once isn't woken, too
  if (!readiness_ || ::epoll_ctl(readiness_.get(), EPOLL_CTL_ADD, looking_.get(), &any) != 0)
    throw std::system_error(errno, std::generic_category(), "waiting for the FUSE device");
}

void Device::close_all() noexcept {
  const std::unique_ptr<DIR, int (*)(DIR*)> all{::opendir("/proc/self/fd"), ::closedir};
  while (const dirent* const entry = all ? ::readdir(all.get()) : nullptr) {
    std::array<char, 32> target{};
    const ssize_t length = ::readlinkat(::dirfd(all.get()), entry->d_name, target.data(), target.size());
    if (length > 0 && std::string_view{target.data(), static_cast<std::size_t>(length)} == "/dev/fuse")
      ::close(std::atoi(entry->d_name));
  }
}

long Device::receive(void* buffer, std::size_t capacity, Wait wait, Origin& origin) const noexcept {
  origin = wait == Wait::yes ? waiting_.get() : looking_.get();
  for (;;) {
    const ssize_t size = ::read(origin, buffer, capacity);
    if (size >= 0) {
      after_request();
      return size;
    }
    if (errno == ENOENT) continue;  // the caller was killed between the wake-up and the read
    if (errno == EAGAIN || errno == EINTR) return 0;
    return -errno;
  }
}

bool Device::await(int limit_ms) const noexcept {
  epoll_event ready{};
  return ::epoll_wait(readiness_.get(), &ready, 1, limit_ms) != 0;  // a signal is for the reader to see
}

}  // namespace fairfs::fs
