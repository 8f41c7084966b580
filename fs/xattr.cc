#include <sys/xattr.h>

#include <vector>

#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// Calls with O_PATH descriptors need a path; /proc's leads to a symbolic link itself, not through it.
sys::FdName path_of(fuse_req_t req, fuse_ino_t node) noexcept { return sys::FdName{inode_of(req, node).fd.get()}; }

/// `read(buffer, size)` says how long the data is when `size` is 0, else fills the buffer; the protocol asks the same
/// way.
template <class Read>
void respond_sized(fuse_req_t req, std::size_t size, const Read& read) noexcept {
  respond(req, [&] {
    std::vector<char> data(size);
    const ssize_t length = sys::checked(read(size == 0 ? nullptr : data.data(), size));
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
  respond_sized(req, size,
                [&](char* to, std::size_t room) { return ::getxattr(path_of(req, node).path(), name, to, room); });
}

void op_listxattr(fuse_req_t req, fuse_ino_t node, std::size_t size) noexcept {
  respond_sized(req, size,
                [&](char* to, std::size_t room) { return ::listxattr(path_of(req, node).path(), to, room); });
}

void op_setxattr(fuse_req_t req, fuse_ino_t node, const char* name, const char* value, std::size_t size,
                 int flags) noexcept {
  respond_status(req, [&] {
    return not_this_time(sys::checked(::setxattr(path_of(req, node).path(), name, value, size, flags)));
  });
}

void op_removexattr(fuse_req_t req, fuse_ino_t node, const char* name) noexcept {
  respond_status(req, [&] { return not_this_time(sys::checked(::removexattr(path_of(req, node).path(), name))); });
}

}  // namespace fairfs::fs
