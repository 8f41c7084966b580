#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "fs/entry.h"
#include "fs/file_id.h"
#include "fs/identity.h"
#include "fs/notice.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// Has `make(directory)` done as the caller, then answers with what is there now.
template <class Make>
void make_entry(fuse_req_t req, fuse_ino_t parent, const char* name, const Make& make) noexcept {
  respond(req, [&] {
    int error = check_room(req);
    if (error < 0) return error;
    const BorrowedFd directory = borrow(req, parent);
    if (!directory) return directory.error();
    {
      const identity::AsCaller caller{req};
      error = sys::checked(make(directory.get()));
    }
    return error < 0 ? error : respond_entry(req, directory.get(), name);
  });
}

/// Before `name` goes: if it is the last name of a file known without descriptor, nothing would lead to it any more,
/// and a caller may still be in it (a directory) or hold it by a path descriptor.
void keep_named(Mount& mount, int directory, const char* name) noexcept {
  if (!mount.inodes.closed_any()) return;
  UniqueFd descriptor = sys::open_at(directory, name, O_PATH | O_NOFOLLOW);
  sys::Status status;
  if (!descriptor || sys::status(descriptor.get(), sys::Freshness::any, status) < 0) return;
  const InodeKey key = key_of(mount, descriptor.get(), status);
  mount.inodes.keep(std::move(descriptor), key);
}

void remove(fuse_req_t req, fuse_ino_t parent, const char* name, int flags) noexcept {
  respond_status(req, [&] {
    Mount& mount = mount_of(req);
    const BorrowedFd directory = borrow(mount, parent);
    if (!directory) return directory.error();
    keep_named(mount, directory.get(), name);
    return sys::checked(::unlinkat(directory.get(), name, flags));
  });
}

/// The file behind `file` by way of the mount that `directory` is on: one file may be known through another bind mount,
/// between which nothing is linked.
UniqueFd through_mount_of(int directory, int file) {
  const auto located = FileId::of(file);
  if (!located) return UniqueFd{-EXDEV};
  return located->id.open(sys::open_at(directory, ".", O_RDONLY | O_DIRECTORY));
}

int link(const Mount& mount, int file, int directory, const char* name) noexcept {
  // Through /proc, because AT_EMPTY_PATH needs CAP_DAC_READ_SEARCH; it leads to a symbolic link itself, not through it.
  return sys::checked(::linkat(mount.proc_fd.get(), sys::FdName{file}.within(), directory, name, AT_SYMLINK_FOLLOW));
}

}  // namespace

void op_mknod(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, dev_t device) noexcept {
  make_entry(req, parent, name, [&](int directory) { return ::mknodat(directory, name, mode, device); });
}

void op_mkdir(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode) noexcept {
  make_entry(req, parent, name, [&](int directory) { return ::mkdirat(directory, name, mode); });
}

void op_symlink(fuse_req_t req, const char* target, fuse_ino_t parent, const char* name) noexcept {
  make_entry(req, parent, name, [&](int directory) { return ::symlinkat(target, directory, name); });
}

void op_link(fuse_req_t req, fuse_ino_t node, fuse_ino_t parent, const char* name) noexcept {
  respond(req, [&] {
    Mount& mount = mount_of(req);
    const BorrowedFd directory = borrow(mount, parent), linked = borrow(mount, node);
    if (!directory || !linked) return directory ? linked.error() : directory.error();
    int error = link(mount, linked.get(), directory.get(), name);
    const InodeKey& key = inode_of(mount, node).key;
    // A read-only mount must not be left by a link: the file could be written then.
    if (error == -EXDEV && key.device == inode_of(mount, parent).key.device && key.view != InodeKey::kReadOnly) {
      const UniqueFd same = through_mount_of(directory.get(), linked.get());
      if (same) error = link(mount, same.get(), directory.get(), name);
    }
    return error < 0 ? error : respond_entry(req, directory.get(), name);
  });
}

void op_unlink(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept { remove(req, parent, name, 0); }

void op_rmdir(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept { remove(req, parent, name, AT_REMOVEDIR); }

void op_rename(fuse_req_t req, fuse_ino_t parent, const char* name, fuse_ino_t new_parent, const char* new_name,
               unsigned flags) noexcept {
  respond_status(req, [&] {
    Mount& mount = mount_of(req);
    const BorrowedFd from = borrow(mount, parent), to = borrow(mount, new_parent);
    if (!from || !to) return from ? to.error() : from.error();
    keep_named(mount, to.get(), new_name);
    if ((flags & RENAME_WHITEOUT) == 0) return sys::checked(::renameat2(from.get(), name, to.get(), new_name, flags));
    // A whiteout is a file made on the way, and its caller's. ext4, refusing later on, takes it back again, which
    // changes the directory's times.
    const identity::AsCaller caller{req};
    const int error = sys::checked(::renameat2(from.get(), name, to.get(), new_name, flags));
    if (error < 0) attributes_are_old(parent);
    return error;
  });
}

void op_readlink(fuse_req_t req, fuse_ino_t node) noexcept {
  respond(req, [&] {
    const BorrowedFd link = borrow(req, node);
    if (!link) return link.error();
    std::array<char, PATH_MAX + 1> target;
    const ssize_t length = sys::checked(::readlinkat(link.get(), "", target.data(), target.size() - 1));
    if (length < 0) return static_cast<int>(length);
    target[static_cast<std::size_t>(length)] = '\0';
    fuse_reply_readlink(req, target.data());
    return 0;
  });
}

}  // namespace fairfs::fs
