#include <fcntl.h>
#include <linux/limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdio>

#include "fs/entry.h"
#include "fs/identity.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// Has `make(directory)` done as the caller, then answers with what is there now.
template <class Make>
void make_entry(fuse_req_t req, fuse_ino_t parent, const char* name, const Make& make) noexcept {
  respond(req, [&] {
    const int directory = inode_of(req, parent).fd.get();
    int error = 0;
    {
      const identity::AsCaller caller{req};
      error = sys::checked(make(directory));
    }
    return error < 0 ? error : respond_entry(req, directory, name);
  });
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
    const Mount& mount = mount_of(req);
    const int directory = inode_of(req, parent).fd.get();
    // Through /proc, because AT_EMPTY_PATH needs CAP_DAC_READ_SEARCH; it leads to a symbolic link itself, not through
    // it.
    const sys::FdName file{inode_of(req, node).fd.get()};
    const int error = sys::checked(::linkat(mount.proc_fd.get(), file.within(), directory, name, AT_SYMLINK_FOLLOW));
    return error < 0 ? error : respond_entry(req, directory, name);
  });
}

void op_unlink(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept {
  respond_status(req, [&] { return sys::checked(::unlinkat(inode_of(req, parent).fd.get(), name, 0)); });
}

void op_rmdir(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept {
  respond_status(req, [&] { return sys::checked(::unlinkat(inode_of(req, parent).fd.get(), name, AT_REMOVEDIR)); });
}

void op_rename(fuse_req_t req, fuse_ino_t parent, const char* name, fuse_ino_t new_parent, const char* new_name,
               unsigned flags) noexcept {
  respond_status(req, [&] {
    const int from = inode_of(req, parent).fd.get(), to = inode_of(req, new_parent).fd.get();
    // A whiteout (RENAME_WHITEOUT) is made by it and belongs to root, as natively: only root may ask.
    return sys::checked(::renameat2(from, name, to, new_name, flags));
  });
}

void op_readlink(fuse_req_t req, fuse_ino_t node) noexcept {
  respond(req, [&] {
    std::array<char, PATH_MAX + 1> target;
    const ssize_t length =
        sys::checked(::readlinkat(inode_of(req, node).fd.get(), "", target.data(), target.size() - 1));
    if (length < 0) return static_cast<int>(length);
    target[static_cast<std::size_t>(length)] = '\0';
    fuse_reply_readlink(req, target.data());
    return 0;
  });
}

}  // namespace fairfs::fs
