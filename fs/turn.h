// When a data request is served.
#pragma once

#include <memory>

#include "fs/mount.h"

namespace fairfs::fs {

/// In its caller's turn; at once, on this thread, where the file lies on a disk that isn't shared out here. On a
/// serving thread only.
void await_turn(Mount& mount, const Inode& inode, std::unique_ptr<engine::Job> job);

}  // namespace fairfs::fs
