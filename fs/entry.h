// What a name stands for, as the kernel is told it.
#pragma once

#include "fs/fuse.h"
#include "fs/mount.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

/// Whether one more file may become known. Where inodes keep their descriptors it has the kernel forget some in time.
[[nodiscard]] bool has_room(Mount& mount) noexcept;
/// The same for what the caller of `req` asks for, after a wait for room; root and the daemon's user need none. 0 or
/// -ENFILE. Ask before anything is made.
[[nodiscard]] int check_room(fuse_req_t req) noexcept;

/// Fills `entry` with the file behind `descriptor` (O_PATH) and takes one lookup on its inode. -ELOOP for our own
/// mount, which holding a descriptor on would make impossible to unmount. 0 or -errno. Throws std::bad_alloc.
[[nodiscard]] int enter(Mount& mount, UniqueFd descriptor, fuse_entry_param& entry);

/// The same for `name` in `directory`; symbolic links aren't followed.
[[nodiscard]] int enter(Mount& mount, int directory, const char* name, fuse_entry_param& entry);

/// Answers with `name` in `directory`, for a lookup or for what was just made there.
[[nodiscard]] int respond_entry(fuse_req_t req, int directory, const char* name);

}  // namespace fairfs::fs
