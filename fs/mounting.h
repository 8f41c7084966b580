// mount(2) and umount(2) for ourselves.
#pragma once

#include <sys/types.h>

#include <string>

#include "fs/filesystem.h"

namespace fairfs::fs {

/// Mounts the connection behind `device` (an open /dev/fuse) at config.mountpoint as root does: type fuse.fairfs, for
/// all users, permissions checked by the kernel. Throws std::system_error naming
/// the mountpoint.
void mount_as_root(const MountConfig& config, int device);

/// Takes the mount away; when it is busy, out of sight at once and for good when its last user goes. False when it was
/// gone.
bool unmount(const std::string& mountpoint) noexcept;

/// The same for the mount with this st_dev, wherever it lies now; nothing else is touched: when something lies over it,
/// it stays, and the log says so. False then.
bool unmount_device(dev_t device, const std::string& mountpoint) noexcept;
/// The same for an ordinary user, who has fusermount3 do it as it was mounted.
bool detach_as_user(const std::string& mountpoint);

/// The mount's device number, learnt without asking the filesystem. 0 when it can't be told.
[[nodiscard]] dev_t mounted_device(const std::string& mountpoint) noexcept;
[[nodiscard]] dev_t mounted_device(int directory) noexcept;

/// How far the kernel reads ahead on files with this st_dev, KiB. 0 when that isn't known (it has no entry in sysfs).
[[nodiscard]] unsigned readahead_of(dev_t file_system) noexcept;
/// Sets it. Best effort: only root may, and only where sysfs is there.
void set_readahead(dev_t mount, unsigned kib) noexcept;

}  // namespace fairfs::fs
