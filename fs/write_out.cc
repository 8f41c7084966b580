#include "fs/write_out.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <spdlog/spdlog.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <exception>
#include <string>

#include "fs/mount_kind.h"

namespace fairfs::fs {
namespace {

constexpr unsigned kZfsMagic = 0x2fc12fc1;  // ZFS_SUPER_MAGIC, not in linux/magic.h

const char* unbounded(int source) {
  struct statfs found {};
  if (::fstatfs(source, &found) != 0) return nullptr;
  switch (static_cast<unsigned>(found.f_type)) {
    case kZfsMagic:
      return "ZFS";
    case NFS_SUPER_MAGIC:
      return "NFS";
    case FUSE_SUPER_MAGIC:
      return "FUSE";
    case BTRFS_SUPER_MAGIC:
      return mount_options(source).find("compress") != std::string::npos ? "compressed btrfs" : nullptr;
    default:
      return nullptr;
  }
}

}  // namespace

WriteOut write_out_of(int source) noexcept try {
  const char* const name = unbounded(source);
  if (name == nullptr) return WriteOut::ranges;
  spdlog::info("the source is on {}: write-behind writes whole files (fdatasync), not ranges", name);
  return WriteOut::files;
} catch (const std::exception&) {
  return WriteOut::ranges;
}

int start_write_out(WriteOut how, int fd, std::uint64_t offset, std::uint64_t length) noexcept {
  if (how == WriteOut::files) return 0;
  return ::sync_file_range(fd, static_cast<off_t>(offset), static_cast<off_t>(length), SYNC_FILE_RANGE_WRITE) != 0
             ? -errno
             : 0;
}

int finish_write_out(WriteOut how, int fd, std::uint64_t offset, std::uint64_t length) noexcept {
  if (how == WriteOut::files) return ::fdatasync(fd) != 0 ? -errno : 0;
  return ::sync_file_range(fd, static_cast<off_t>(offset), static_cast<off_t>(length),
                           SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER) != 0
             ? -errno
             : 0;
}

}  // namespace fairfs::fs
