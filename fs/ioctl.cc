#include <linux/fs.h>
#include <sys/ioctl.h>

#include <cstring>

#include "fs/handle.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

int descriptor_of(const Inode& inode, const fuse_file_info& info) noexcept {
  return inode.type == S_IFDIR ? directory_of(info).fd.get() : file_of(info).fd.get();
}

/// Passes on an ioctl that writes a `Value`, for the caller to read.
template <class Value>
int get(fuse_req_t req, int fd, unsigned command, std::size_t room) noexcept {
  Value value{};
  if (room < sizeof value) return -EINVAL;
  if (const int error = sys::checked(::ioctl(fd, command, &value)); error < 0) return error;
  fuse_reply_ioctl(req, 0, &value, sizeof value);
  return 0;
}

/// Passes on an ioctl that reads a `Value` from the caller.
template <class Value>
int set(fuse_req_t req, int fd, unsigned command, const void* input, std::size_t size) noexcept {
  Value value{};
  if (size < sizeof value) return -EINVAL;
  std::memcpy(&value, input, sizeof value);
  if (const int error = sys::checked(::ioctl(fd, command, &value)); error < 0) return error;
  fuse_reply_ioctl(req, 0, nullptr, 0);
  return 0;
}

}  // namespace

/// The flags of chattr(1) and lsattr(1), which the kernel has checked the caller's right to. Others may carry pointers
/// or rights that only the caller has.
void op_ioctl(fuse_req_t req, fuse_ino_t node, unsigned command, void* /*argument*/, fuse_file_info* info,
              unsigned /*flags*/, const void* input, std::size_t input_size, std::size_t output_size) noexcept {
  respond(req, [&] {
    const int fd = descriptor_of(inode_of(req, node), *info);
    switch (command) {
      // Their numbers say long, but an int is what they move.
      case FS_IOC_GETFLAGS:
        return get<int>(req, fd, command, output_size);
      case FS_IOC_SETFLAGS:
        return set<int>(req, fd, command, input, input_size);
      case FS_IOC_FSGETXATTR:
        return get<fsxattr>(req, fd, command, output_size);
      case FS_IOC_FSSETXATTR:
        return set<fsxattr>(req, fd, command, input, input_size);
      default:
        return -ENOTTY;
    }
  });
}

}  // namespace fairfs::fs
