// Which disks a file system lies on.
#pragma once

#include <sys/types.h>

#include <set>

namespace fairfs::probe {

/// The whole disks under a block device: of a partition its disk, of a logical volume or an array the disks it is made
/// of. Itself when it is made of none.
[[nodiscard]] std::set<dev_t> disks_under(dev_t device);

/// True when the two file systems (st_dev) are known to share no disk: their block devices are made of different ones,
/// or one of the two is in memory, on the network or another FUSE mount. False when that isn't known. Reads /sys and
/// /proc/self/mountinfo.
[[nodiscard]] bool on_different_disks(dev_t file_system, dev_t other);

}  // namespace fairfs::probe
