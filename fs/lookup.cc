#include "fs/entry.h"
#include "fs/operations.h"
#include "fs/respond.h"

namespace fairfs::fs {
namespace {

void forget(Mount& mount, fuse_ino_t node, std::uint64_t count) noexcept {
  if (node == FUSE_ROOT_ID) return;
  Inode& inode = inode_of(mount, node);
  mount.write_behind.forgotten(inode);
  mount.space_ahead.forgotten(inode);
  mount.inodes.forget(inode, count);
}

}  // namespace

void op_lookup(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept {
  respond(req, [&] {
    if (const int error = check_room(req); error < 0) return error;
    const BorrowedFd directory = borrow(req, parent);
    return directory ? respond_entry(req, directory.get(), name) : directory.error();
  });
}

void op_forget(fuse_req_t req, fuse_ino_t node, std::uint64_t count) noexcept {
  forget(mount_of(req), node, count);
  fuse_reply_none(req);
}

void op_forget_multi(fuse_req_t req, std::size_t count, fuse_forget_data* forgets) noexcept {
  for (std::size_t i = 0; i < count; ++i) forget(mount_of(req), forgets[i].ino, forgets[i].nlookup);
  fuse_reply_none(req);
}

}  // namespace fairfs::fs
