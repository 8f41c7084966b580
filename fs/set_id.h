// Taking set-user-id and set-group-id off files that somebody writes to.
#pragma once

#include "fs/fuse.h"
#include "fs/mount.h"

namespace fairfs::fs {

/// Clears the bits of a file that the request is about to change, if its caller has no right to leave them
/// (CAP_FSETID). The kernel leaves that to us (FUSE_HANDLE_KILLPRIV_V2), which spares it a GETXATTR before each write;
/// the daemon's own writes wouldn't clear them, since it has the right. File capabilities go at any write, whoever
/// makes it. Call on the thread that read the request, before the change: WRITE, OPEN with O_TRUNC, SETATTR of the
/// size, FALLOCATE, COPY_FILE_RANGE. A chmod through the mount can't come between, because the kernel holds the inode's
/// lock. 0 or -errno.
[[nodiscard]] int clear_set_id(fuse_req_t req, Inode& inode) noexcept;

/// The set-group-id bit alone, after the request's caller has given the file an ACL: kept, as natively, by root and by
/// members of the file's group. 0 or -errno.
[[nodiscard]] int clear_set_group_id(fuse_req_t req, Inode& inode) noexcept;

}  // namespace fairfs::fs
