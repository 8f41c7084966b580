#include <sys/xattr.h>

#include <cerrno>
#include <mutex>
#include <string_view>
#include <vector>

#include "fs/identity.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/set_id.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// `call(path)` with a path of the node's file: these calls don't take O_PATH descriptors. The path, /proc's, leads to
/// a symbolic link itself, not through it. What `call` returned, or -errno.
template <class Call>
ssize_t with_path(fuse_req_t req, fuse_ino_t node, const Call& call) noexcept {
  const BorrowedFd file = borrow(req, node);
  return file ? sys::checked(static_cast<ssize_t>(call(sys::FdName{file.get()}.path()))) : file.error();
}

/// Before it lets anybody but root do anything the kernel asks for the ACL, and takes every error but this as the
/// answer to the caller. Where the file system has no ACLs, no file has one.
ssize_t get(const char* path, const char* name, char* to, std::size_t room) {
  const ssize_t length = ::getxattr(path, name, to, room);
  if (length < 0 && errno == EOPNOTSUPP && std::string_view{name}.starts_with("system.posix_acl_")) errno = ENODATA;
  return length;
}

/// `read(path, buffer, size)` says how long the data is when `size` is 0, else fills the buffer; the protocol asks the
/// same way.
template <class Read>
void respond_sized(fuse_req_t req, fuse_ino_t node, std::size_t size, const Read& read) noexcept {
  respond(req, [&] {
    std::vector<char> data(size);
    char* const to = size == 0 ? nullptr : data.data();
    const ssize_t length = with_path(req, node, [&](const char* path) { return read(path, to, size); });
    if (length < 0) return not_this_time(static_cast<int>(length));
    if (size == 0)
      fuse_reply_xattr(req, static_cast<std::size_t>(length));
    else
      fuse_reply_buf(req, data.data(), static_cast<std::size_t>(length));
    return 0;
  });
}

}  // namespace

void op_getxattr(fuse_req_t req, fuse_ino_t node, const char* name, std::size_t size) noexcept {
  respond_sized(req, node, size,
                [&](const char* path, char* to, std::size_t room) { return get(path, name, to, room); });
}

void op_listxattr(fuse_req_t req, fuse_ino_t node, std::size_t size) noexcept {
  // Trusted names are shown to the privileged alone, or to all: as the file system likes.
  respond_sized(req, node, size, [&](const char* path, char* to, std::size_t room) {
    const identity::AsCaller caller{req, identity::Rights::caller};
    return ::listxattr(path, to, room);
  });
}

void op_setxattr(fuse_req_t req, fuse_ino_t node, const char* name, const char* value, std::size_t size,
                 int flags) noexcept {
  respond_status(req, [&] {
    const std::lock_guard lock{inode_of(req, node).pages_mutex};
    const auto set = [&](const char* path) { return ::setxattr(path, name, value, size, flags); };
    const int error = not_this_time(static_cast<int>(with_path(req, node, set)));
    const bool is_access_list = std::string_view{name} == "system.posix_acl_access";
    return error == 0 && is_access_list ? clear_set_group_id(req, inode_of(req, node)) : error;
  });
}

void op_removexattr(fuse_req_t req, fuse_ino_t node, const char* name) noexcept {
  respond_status(req, [&] {
    const std::lock_guard lock{inode_of(req, node).pages_mutex};
    const auto remove = [&](const char* path) { return ::removexattr(path, name); };
    return not_this_time(static_cast<int>(with_path(req, node, remove)));
  });
}

}  // namespace fairfs::fs
