#include "fs/mount_kind.h"

#include <fcntl.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>

#include <cstring>
#include <exception>
#include <fstream>
#include <sstream>

namespace fairfs::fs {

std::string mount_options(int source) {
  struct statx found {};
  if (::statx(source, "", AT_EMPTY_PATH, STATX_MNT_ID, &found) != 0 || (found.stx_mask & STATX_MNT_ID) == 0) return {};
  std::ifstream mounts{"/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);) {
    std::uint64_t id = 0;
    if (std::istringstream{line} >> id && id == found.stx_mnt_id) return line.substr(line.rfind(' ') + 1);
  }
  return {};
}

bool is_ext4_without_quota(int source) noexcept try {
  struct statfs found {};
  if (::fstatfs(source, &found) != 0 || static_cast<unsigned>(found.f_type) != EXT4_SUPER_MAGIC) return false;
  const std::string options = mount_options(source);
  return !options.empty() && options.find("quota") == std::string::npos && options.find("jqfmt") == std::string::npos;
} catch (const std::exception&) {
  return false;
}

bool has_space_behind(int fd, std::uint64_t size) noexcept {
  struct stat attributes;
  if (::fstat(fd, &attributes) != 0) return true;
  const auto block = static_cast<std::uint64_t>(attributes.st_blksize);
  fiemap behind;
  std::memset(&behind, 0, sizeof behind);  // not {}: it ends in an array of no elements, which clang refuses to fill
  behind.fm_start = (size + block - 1) / block * block;
  behind.fm_length = FIEMAP_MAX_OFFSET - behind.fm_start;
  return ::ioctl(fd, FS_IOC_FIEMAP, &behind) != 0 || behind.fm_mapped_extents != 0;  // room for none: it counts
}

}  // namespace fairfs::fs
