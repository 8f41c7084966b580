#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>

#include "fs/answer.h"
#include "fs/handle.h"
#include "fs/notice.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/set_id.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

// One request may move this much and no more, so that nobody copies gigabytes in one turn. Callers expect short counts.
constexpr std::size_t kCopyMax = std::size_t{4} << 20U;

}  // namespace

void op_statfs(fuse_req_t req, fuse_ino_t node) noexcept {
  respond(req, [&] {
    const BorrowedFd file = borrow(req, node);
    if (!file) return file.error();
    struct statvfs found {};
    if (const int error = sys::checked(::fstatvfs(file.get(), &found)); error < 0) return error;
    fuse_reply_statfs(req, &found);
    return 0;
  });
}

void op_fallocate(fuse_req_t req, fuse_ino_t node, int mode, off_t offset, off_t length,
                  fuse_file_info* info) noexcept {
  respond_status(req, [&] {
    const FileHandle& file = file_of(*info);
    if (const int error = clear_set_id(req, *file.inode); error < 0) return error;
    if ((mode & FALLOC_FL_KEEP_SIZE) != 0) file.inode->keeps_space.store(true, std::memory_order_relaxed);
    const int error = sys::checked(::fallocate(file.fd.get(), mode, offset, length));
    if (error < 0) attributes_are_old(node);  // what fitted in before the space ran out stays
    return not_this_time(error);
  });
}

void op_lseek(fuse_req_t req, fuse_ino_t /*node*/, off_t offset, int whence, fuse_file_info* info) noexcept {
  // Only SEEK_DATA and SEEK_HOLE come here. The position that this moves is nobody's: all I/O names its offset.
  respond(req, [&] {
    const off_t found = sys::checked(::lseek(file_of(*info).fd.get(), offset, whence));
    if (found < 0) return not_this_time(static_cast<int>(found));
    fuse_reply_lseek(req, found);
    return 0;
  });
}

void op_copy_file_range(fuse_req_t req, fuse_ino_t /*from*/, off_t from_offset, fuse_file_info* from_info,
                        fuse_ino_t /*to*/, off_t to_offset, fuse_file_info* to_info, std::size_t length,
                        int flags) noexcept {
  respond(req, [&] {
    FileHandle &source = file_of(*from_info), &target = file_of(*to_info);
    // The request tells no flags. The kernel refuses targets that append, so the caller has taken that off since a
    // write told us of it. O_DIRECT may have been taken off, too: through the page cache, ranges need no alignment.
    source.follow(source.flags() & ~O_DIRECT);
    target.follow(target.flags() & ~(O_APPEND | O_DIRECT));
    if (const int error = clear_set_id(req, *target.inode); error < 0) return error;
    const off_t to_start = to_offset;
    const ssize_t copied =
        sys::checked(::copy_file_range(source.fd.get(), &from_offset, target.fd.get(), &to_offset,
                                       std::min(length, kCopyMax), static_cast<unsigned>(flags)));
    if (copied < 0) return not_this_time(static_cast<int>(copied));
    // Dirty in the page cache like a write; where blocks are shared instead, there will be nothing to write.
    mount_of(req).write_behind.wrote(*target.inode, caller_of(req), static_cast<std::uint64_t>(to_start),
                                     static_cast<std::size_t>(copied), Answer{req});
    return 0;
  });
}

}  // namespace fairfs::fs
