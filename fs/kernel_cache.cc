#include "fs/kernel_cache.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/mount.h>
#include <unistd.h>

#include <cstring>

#include "fs/mounting.h"

namespace fairfs::fs {
namespace {

using Clock = std::chrono::steady_clock;

/// Between two looks at an outcome: forgets come in their thousands, so nobody announces one. The first may come a
/// moment after the kernel has been through.
constexpr std::chrono::milliseconds kLook{2};
constexpr int kLooksAfterwards = 10;

}  // namespace

void KernelCache::begin(dev_t mount) {
  mount_ = mount;
  if (::geteuid() != 0 || mount == 0) return;
  hold_spares();
  thread_ = std::thread([this] { serve(); });
}

KernelCache::~KernelCache() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wanted_cv_.notify_all();
  thread_.join();
}

void KernelCache::drop() noexcept {
  const std::lock_guard lock{mutex_};
  if (wanted_ || at_it_ || !thread_.joinable()) return;
  wanted_ = true;
  wanted_cv_.notify_one();
}

bool KernelCache::drop_until(const std::function<bool()>& enough) noexcept {
  const auto began = Clock::now();
  std::unique_lock lock{mutex_};
  if (enough()) return true;
  if (began < in_vain_until_ || !thread_.joinable()) return false;
  wanted_ = true;
  wanted_cv_.notify_one();
  for (int looks_left = kLooksAfterwards; looks_left > 0 && Clock::now() - began < kWait; --looks_left) {
    if (enough()) return true;
    if (wanted_ || at_it_) looks_left = kLooksAfterwards;
    done_cv_.wait_for(lock, kLook);
  }
  in_vain_until_ = Clock::now() + kWait;
  return enough();
}

void KernelCache::serve() {
  std::unique_lock lock{mutex_};
  for (;;) {
    wanted_cv_.wait(lock, [this] { return wanted_ || stopping_; });
    if (wanted_cv_.wait_until(lock, not_before_, [this] { return stopping_; })) return;
    wanted_ = false;
    at_it_ = true;
    lock.unlock();
    const auto began = Clock::now();
    reconfigure();
    lock.lock();
    at_it_ = false;
    const auto now = Clock::now();
    not_before_ = now + (now - began);
    done_cv_.notify_all();
  }
}

void KernelCache::reconfigure() {
  for (UniqueFd& spare : spares_) spare = UniqueFd{};
  int error = 0;
  {
    const UniqueFd path{::open(mountpoint_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
    // Another one may cover it by now.
    if (path && mounted_device(path.get()) == mount_) {
      const UniqueFd settings{::fspick(path.get(), "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC)};
      if (!settings || ::fsconfig(settings.get(), FSCONFIG_CMD_RECONFIGURE, nullptr, nullptr, 0) != 0) error = errno;
    }
  }
  hold_spares();
  if (error != 0) spdlog::debug("{}: having the kernel forget unused names: {}", mountpoint_, std::strerror(error));
}

void KernelCache::hold_spares() {
  for (UniqueFd& spare : spares_) spare = UniqueFd{::open("/dev/null", O_PATH | O_CLOEXEC)};
}

}  // namespace fairfs::fs
