// What the kernel says of a mounted file system.
#pragma once

#include <sys/types.h>

#include <string>

namespace fairfs::probe {

struct Mounted {
  std::string type;    ///< "ext4", "fuse.sshfs"
  std::string source;  ///< "/dev/sda1", "server:/export"
};

/// That of the first mount with this st_dev in /proc/self/mountinfo; both empty when there is none.
[[nodiscard]] Mounted mounted(dev_t file_system);

}  // namespace fairfs::probe
