#include "fs/other_disks.h"

#include <exception>

namespace fairfs::fs {

bool OtherDisks::have(dev_t file_system) noexcept {
  if (file_system == source_ || !ask_) return false;
  const auto now = Clock::now();
  try {
    {
      const std::lock_guard lock{mutex_};
      const auto known = known_.find(file_system);
      if (known != known_.end() && now - known->second.asked < kHolds) return known->second.apart;
    }
    const bool apart = ask_(source_, file_system);  // without the lock: it reads files
    const std::lock_guard lock{mutex_};
    known_[file_system] = {apart, now};
    return apart;
  } catch (const std::exception&) {
    return false;  // short of memory: scheduled like the others
  }
}

}  // namespace fairfs::fs
