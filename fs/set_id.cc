#include "fs/set_id.h"

#include <linux/fuse.h>
#include <sys/stat.h>

#include <algorithm>
#include <new>
#include <vector>

#include "fs/serving_thread.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// What the kernel says of the caller's right, in flags that libfuse 3.14 doesn't hand on.
bool must_clear(fuse_req_t req) noexcept {
  if (const Message* const message = serving_thread().message; message != nullptr) {
    switch (message->header().opcode) {
      case FUSE_WRITE:
        return (message->body<fuse_write_in>().write_flags & FUSE_WRITE_KILL_SUIDGID) != 0;
      case FUSE_OPEN:
        return (message->body<fuse_open_in>().open_flags & FUSE_OPEN_KILL_SUIDGID) != 0;
      case FUSE_SETATTR:
        return (message->body<fuse_setattr_in>().valid & FATTR_KILL_SUIDGID) != 0;
      default:
        break;
    }
  }
  // The other requests have no such flag: root has the right, others hardly ever.
  return fuse_req_ctx(req)->uid != 0;
}

bool in_group(fuse_req_t req, gid_t group) {
  if (fuse_req_ctx(req)->gid == group) return true;
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(fuse_req_getgroups(req, 0, nullptr), 0)));
  const int count = fuse_req_getgroups(req, static_cast<int>(groups.size()), groups.data());
  groups.resize(std::min(groups.size(), static_cast<std::size_t>(std::max(count, 0))));
  return std::find(groups.begin(), groups.end(), group) != groups.end();
}

int take_off(fuse_req_t req, int fd, mode_t mode, mode_t gone) noexcept {
  if (gone == 0) return 0;
  const mode_t left = mode & ~gone & ~S_IFMT;
  return sys::checked(::fchmodat(mount_of(req).proc_fd.get(), sys::FdName{fd}.within(), left, 0));
}

}  // namespace

int clear_set_id(fuse_req_t req, Inode& inode) noexcept try {
  if (!must_clear(req)) return 0;
  const BorrowedFd file = mount_of(req).inodes.borrow(inode);
  if (!file) return file.error();
  struct stat attributes;
  if (const int error = sys::stat(file.get(), attributes); error < 0) return error;
  mode_t gone = attributes.st_mode & S_ISUID;
  // Without group execution it once asked for mandatory locks: members of the group may leave that, as natively. Rare,
  // so looking the caller's groups up in /proc is affordable.
  if ((attributes.st_mode & S_ISGID) != 0 && ((attributes.st_mode & S_IXGRP) != 0 || !in_group(req, attributes.st_gid)))
    gone |= S_ISGID;
  return take_off(req, file.get(), attributes.st_mode, gone);
} catch (const std::bad_alloc&) {
  return -ENOMEM;
}

int clear_set_group_id(fuse_req_t req, Inode& inode) noexcept try {
  if (fuse_req_ctx(req)->uid == 0) return 0;
  const BorrowedFd file = mount_of(req).inodes.borrow(inode);
  if (!file) return file.error();
  struct stat attributes;
  if (const int error = sys::stat(file.get(), attributes); error < 0) return error;
  const bool kept = (attributes.st_mode & S_ISGID) == 0 || in_group(req, attributes.st_gid);
  return kept ? 0 : take_off(req, file.get(), attributes.st_mode, S_ISGID);
} catch (const std::bad_alloc&) {
  return -ENOMEM;
}

}  // namespace fairfs::fs
