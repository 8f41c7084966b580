#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <mutex>

#include "fs/handle.h"
#include "fs/identity.h"
#include "fs/notice.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/set_id.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

int respond_attributes(fuse_req_t req, const Inode& inode, int fd) noexcept {
  const Mount& mount = mount_of(req);
  struct stat attributes;
  if (const int error = sys::stat(fd, attributes); error < 0) return error;
  attributes.st_ino = visible_number(mount, inode.key);
  fuse_reply_attr(req, &attributes, mount.config.attr_timeout_s);
  return 0;
}

/// What a change is made to: a node's file by its O_PATH descriptor.
struct Target {
  const Mount& mount;
  const Inode& inode;
  int fd;
};

int set_mode(const Target& target, mode_t mode) noexcept {
  if (target.inode.type == S_IFLNK) return -EOPNOTSUPP;
  return sys::checked(::fchmodat(target.mount.proc_fd.get(), sys::FdName{target.fd}.within(), mode, 0));
}

int set_owner(const Target& target, uid_t user, gid_t group) noexcept {
  return sys::checked(::fchownat(target.fd, "", user, group, AT_EMPTY_PATH));
}

int set_size(const Target& target, off_t size, const fuse_file_info* info) noexcept {
  if (info != nullptr) return sys::checked(::ftruncate(file_of(*info).fd.get(), size));
  const UniqueFd file = sys::open_at(target.mount.proc_fd.get(), sys::FdName{target.fd}.within(), O_WRONLY);
  return file ? sys::checked(::ftruncate(file.get(), size)) : file.error();
}

timespec asked_time(int fields, int set, int now, const timespec& value) noexcept {
  if ((fields & now) != 0) return {.tv_sec = 0, .tv_nsec = UTIME_NOW};
  if ((fields & set) != 0) return value;
  return {.tv_sec = 0, .tv_nsec = UTIME_OMIT};
}

int set_times(const Target& target, const struct stat& asked, int fields) noexcept {
  const std::array times{asked_time(fields, FUSE_SET_ATTR_ATIME, FUSE_SET_ATTR_ATIME_NOW, asked.st_atim),
                         asked_time(fields, FUSE_SET_ATTR_MTIME, FUSE_SET_ATTR_MTIME_NOW, asked.st_mtim)};
  return sys::checked(::utimensat(target.fd, "", times.data(), AT_EMPTY_PATH));
}

constexpr int kOwnerFields = FUSE_SET_ATTR_UID | FUSE_SET_ATTR_GID;
constexpr int kTimeFields =
    FUSE_SET_ATTR_ATIME | FUSE_SET_ATTR_MTIME | FUSE_SET_ATTR_ATIME_NOW | FUSE_SET_ATTR_MTIME_NOW;
constexpr int kAllFields = kOwnerFields | kTimeFields | FUSE_SET_ATTR_SIZE | FUSE_SET_ATTR_MODE;

constexpr auto kSame = static_cast<uid_t>(-1);

/// The size before the times, because it changes them; the owner before the mode, because it clears set-id bits that
/// the caller may be setting.
int set_attributes(const Target& target, const struct stat& asked, int fields, const fuse_file_info* info) noexcept {
  int error = 0;
  if ((fields & FUSE_SET_ATTR_SIZE) != 0) error = set_size(target, asked.st_size, info);
  if (error >= 0 && (fields & kOwnerFields) != 0) {
    error = set_owner(target, (fields & FUSE_SET_ATTR_UID) != 0 ? asked.st_uid : kSame,
                      (fields & FUSE_SET_ATTR_GID) != 0 ? asked.st_gid : kSame);
  }
  if (error >= 0 && (fields & FUSE_SET_ATTR_MODE) != 0) error = set_mode(target, asked.st_mode & ~S_IFMT);
  if (error >= 0 && (fields & kTimeFields) != 0) error = set_times(target, asked, fields);
  return error;
}

}  // namespace

void op_getattr(fuse_req_t req, fuse_ino_t node, fuse_file_info* /*info*/) noexcept {
  // Our descriptor names the same file as any handle does, unlinked or not.
  respond(req, [&] {
    Inode& inode = inode_of(req, node);
    const BorrowedFd file = mount_of(req).inodes.borrow(inode);
    return file ? respond_attributes(req, inode, file.get()) : file.error();
  });
}

void op_setattr(fuse_req_t req, fuse_ino_t node, struct stat* attributes, int fields, fuse_file_info* info) noexcept {
  respond(req, [&] {
    Mount& mount = mount_of(req);
    Inode& inode = inode_of(mount, node);
    const BorrowedFd file = mount.inodes.borrow(inode);
    if (!file) return file.error();
    // Root's change of owner clears what it should by itself.
    const bool given_away = (fields & kOwnerFields) != 0 && inode.type != S_IFDIR && fuse_req_ctx(req)->uid != 0;
    int error = given_away || (fields & FUSE_SET_ATTR_SIZE) != 0 ? clear_set_id(req, inode) : 0;
    const Target target{mount, inode, file.get()};
    std::unique_lock lock{inode.pages_mutex, std::defer_lock};
    if ((fields & kTimeFields) != 0) lock.lock();
    if ((fields & kAllFields) == 0) {
      // Two things look like this: chown(-1, -1), which stamps the ctime and takes set-id bits off if the caller may,
      // and the kernel's preparation of a write by somebody else, which must succeed (the write itself then takes the
      // bits off). So it is tried with the caller's own rights, and a refusal is no error.
      const identity::AsCaller caller{req, identity::Rights::caller};
      error = set_owner(target, kSame, kSame);
      if (error == -EPERM) error = 0;
    } else if (error >= 0) {
      error = set_attributes(target, *attributes, fields, info);
    }
    if (lock) lock.unlock();
    if (error >= 0 && (fields & FUSE_SET_ATTR_SIZE) != 0)
      mount.write_behind.truncated(inode, static_cast<std::uint64_t>(attributes->st_size));
    if (error < 0) {
      attributes_are_old(node);  // part of what was asked may be done
      return error;
    }
    return respond_attributes(req, inode, file.get());
  });
}

}  // namespace fairfs::fs
