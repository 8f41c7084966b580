#include "fs/device.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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
}

long Device::receive(void* buffer, std::size_t capacity, Wait wait, Origin& origin) const noexcept {
  origin = wait == Wait::yes ? waiting_.get() : looking_.get();
  for (;;) {
    const ssize_t size = ::read(origin, buffer, capacity);
    if (size >= 0) return size;
    if (errno == ENOENT) continue;  // the caller was killed between the wake-up and the read
    if (errno == EAGAIN || errno == EINTR) return 0;
    return -errno;
  }
}

}  // namespace fairfs::fs
