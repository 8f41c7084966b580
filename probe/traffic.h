// The device behind a directory and what goes through it, as the kernel counts it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>

namespace fairfs::probe {

/// The block device of a mounted filesystem: its st_dev, or, where that is no block device (btrfs), the mount's source.
/// 0 when there is none.
[[nodiscard]] dev_t block_device(dev_t filesystem);

/// /sys/dev/block/MAJOR:MINOR; for a partition that of the whole disk, because that is where programs meet.
[[nodiscard]] std::string device_directory(dev_t device);

/// Bytes read and written on the device since boot (diskstats). Nothing when it doesn't count.
[[nodiscard]] std::optional<std::uint64_t> device_traffic(dev_t device);

/// Bytes this process caused to be read from and written to devices (/proc/self/io). Nothing when it doesn't count.
[[nodiscard]] std::optional<std::uint64_t> own_traffic();

}  // namespace fairfs::probe
