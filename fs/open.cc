#include <fcntl.h>
#include <time.h>
#include <unistd.h>

#include <memory>

#include "fs/entry.h"
#include "fs/handle.h"
#include "fs/identity.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/set_id.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// Opens with `try_open(flags)`, giving up what the backing file system doesn't grant and the caller can do without.
template <class TryOpen>
UniqueFd open_with_fewer_flags(int& flags, const TryOpen& try_open) noexcept {
  UniqueFd fd = try_open(flags);
  if (!fd && fd.error() == -EPERM && (flags & O_NOATIME) != 0) {
    flags &= ~O_NOATIME;
    fd = try_open(flags);
  }
  if (!fd && fd.error() == -EINVAL && (flags & O_DIRECT) != 0) {
    flags &= ~O_DIRECT;
    fd = try_open(flags);
  }
  return fd;
}

/// A second open of a known file.
UniqueFd reopen(Mount& mount, Inode& inode, int& flags) noexcept {
  // The kernel has resolved the name; and /proc's entry is a link, which O_NOFOLLOW would refuse.
  flags &= ~(O_CREAT | O_EXCL | O_NOFOLLOW | O_NOCTTY);
  const BorrowedFd path = mount.inodes.borrow(inode);
  if (!path) return UniqueFd{path.error()};
  const sys::FdName name{path.get()};
  const auto open = [&] {
    return open_with_fewer_flags(flags,
                                 [&](int wanted) { return sys::open_at(mount.proc_fd.get(), name.within(), wanted); });
  };
  UniqueFd fd = open();
  if (fd.error() != -EAGAIN) return fd;
  { const std::lock_guard lock{inode.pages_mutex}; }  // O_NONBLOCK met our own lease (space_ahead.h)
  return open();
}

bool on_local_source(const Mount& mount, const Inode& inode) noexcept {
  return mount.source_is_local && inode.key.device == mount.root->key.device;
}

bool keep_pages(const Mount& mount, Inode& inode, int fd) noexcept {
  struct stat attributes;
  if (sys::stat(fd, attributes) < 0) return false;
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  const std::lock_guard lock{inode.pages_mutex};
  return inode.pages.keep(attributes, std::chrono::seconds{now.tv_sec} + std::chrono::nanoseconds{now.tv_nsec},
                          !on_local_source(mount, inode));
}

struct OpenFile {
  HandleSeat seat;
  UniqueFd fd;
  int flags = 0;
};

/// Fills `info` for a file that is now open. The handle is the kernel's once it has the answer.
std::unique_ptr<FileHandle> make_handle(Mount& mount, Inode& inode, OpenFile file, fuse_file_info& info) {
  info.keep_cache = keep_pages(mount, inode, file.fd.get()) ? 1 : 0;
  // A close can fail on network file systems only; elsewhere asking at each one is a wasted trip.
  info.noflush = on_local_source(mount, inode) ? 1 : 0;
  auto handle = std::make_unique<FileHandle>(mount.open_handles, std::move(file.seat), std::move(file.fd),
                                             mount.inodes.pin(inode), file.flags);
  info.fh = reinterpret_cast<std::uintptr_t>(handle.get());
  if (((info.flags ^ file.flags) & O_DIRECT) != 0) mount.tell_direct_refused();
  if ((file.flags & O_TRUNC) != 0) mount.write_behind.truncated(inode, 0);
  return handle;
}

/// For write-back of mapped pages, of which the kernel doesn't say whose they are.
void note_opener(fuse_req_t req, Inode& inode, int flags) noexcept {
  if ((flags & O_ACCMODE) != O_RDONLY) inode.opener.store(caller_of(req).thread, std::memory_order_relaxed);
}

/// Creates `name`, or opens it when somebody else has just made it: the kernel saw none and so checked no rights, which
/// leaves that to the backing file system.
UniqueFd create(fuse_req_t req, int directory, const char* name, mode_t mode, int& flags) noexcept {
  const bool nameless = (flags & O_TMPFILE) == O_TMPFILE;
  const bool exclusive = (flags & O_EXCL) != 0;
  UniqueFd fd;
  {
    const identity::AsCaller caller{req};
    fd = open_with_fewer_flags(flags, [&](int wanted) {
      return nameless ? sys::open_at(directory, ".", wanted & ~O_CREAT, mode)
                      : sys::open_at(directory, name, wanted | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    });
  }
  if (fd || fd.error() != -EEXIST || exclusive) return fd;
  const identity::AsCaller caller{req, identity::Rights::caller};
  return open_with_fewer_flags(flags, [&](int wanted) {
    return sys::open_at(directory, name, (wanted & ~(O_CREAT | O_EXCL)) | O_NOFOLLOW | O_NONBLOCK);
  });
}

}  // namespace

void op_open(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept {
  respond(req, [&] {
    Mount& mount = mount_of(req);
    Inode& inode = inode_of(mount, node);
    int flags = info->flags;
    HandleSeat seat = take_seat(req);
    if (!seat) return -ENFILE;
    if ((flags & O_TRUNC) != 0) {
      if (const int error = clear_set_id(req, inode); error < 0) return error;
    }
    UniqueFd fd = reopen(mount, inode, flags);
    if (!fd) return fd.error();
    auto handle = make_handle(mount, inode, {std::move(seat), std::move(fd), flags}, *info);
    note_opener(req, inode, flags);
    // From here on a RELEASE may come and delete it; an answer that the kernel doesn't take has none.
    if (fuse_reply_open(req, info) == 0) static_cast<void>(handle.release());
    return 0;
  });
}

void op_create(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, fuse_file_info* info) noexcept {
  respond(req, [&] {
    Mount& mount = mount_of(req);
    int flags = info->flags;
    HandleSeat seat = take_seat(req);  // before the file is made
    if (!seat) return -ENFILE;
    if (const int error = check_room(req); error < 0) return error;
    const BorrowedFd directory = borrow(mount, parent);
    if (!directory) return directory.error();
    UniqueFd fd = create(req, directory.get(), name, mode, flags);
    if (!fd) return fd.error();
    // Not by name: that may be another file's by now.
    UniqueFd path = sys::open_at(mount.proc_fd.get(), sys::FdName{fd.get()}.within(), O_PATH);
    if (!path) return path.error();
    fuse_entry_param entry{};
    if (const int error = enter(mount, std::move(path), entry); error < 0) return error;
    Inode& inode = inode_of(mount, entry.ino);
    std::unique_ptr<FileHandle> handle;
    try {
      handle = make_handle(mount, inode, {std::move(seat), std::move(fd), flags}, *info);
      note_opener(req, inode, flags);
    } catch (const std::bad_alloc&) {
      mount.inodes.forget(inode, 1);
      return -ENOMEM;
    }
    if (fuse_reply_create(req, &entry, info) == 0) static_cast<void>(handle.release());
    return 0;
  });
}

void op_flush(fuse_req_t req, fuse_ino_t /*node*/, fuse_file_info* info) noexcept {
  // One for each close of a duplicate: closing a duplicate of ours reports what the backing file system has to say.
  respond_status(req, [&] {
    UniqueFd duplicate{relieved([&] { return ::fcntl(file_of(*info).fd.get(), F_DUPFD_CLOEXEC, 0); })};
    return duplicate ? sys::checked(::close(duplicate.release())) : duplicate.error();
  });
}

void op_release(fuse_req_t req, fuse_ino_t /*node*/, fuse_file_info* info) noexcept {
  delete &file_of(*info);
  fuse_reply_err(req, 0);
}

}  // namespace fairfs::fs
