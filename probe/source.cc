#include "probe/source.h"

#include <linux/magic.h>
#include <sys/vfs.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace fairfs::probe {
namespace {

constexpr const char* kMemory = "keeps files in memory";
constexpr const char* kNetwork = "keeps files on another machine, which others use too";
constexpr const char* kStacked = "lies on other filesystems, and what is read may come from any of them";

struct Kind {
  std::uint32_t magic;
  const char* name;
  const char* why;
};
// Numbers that linux/magic.h doesn't have are those of statfs(2).
constexpr std::array kKinds{
    Kind{TMPFS_MAGIC, "tmpfs", kMemory},
    Kind{RAMFS_MAGIC, "ramfs", kMemory},
    Kind{HUGETLBFS_MAGIC, "hugetlbfs", kMemory},
    Kind{OVERLAYFS_SUPER_MAGIC, "overlay", kStacked},
    Kind{ECRYPTFS_SUPER_MAGIC, "ecryptfs", kStacked},
    Kind{FUSE_SUPER_MAGIC, "fuse", kStacked},
    Kind{NFS_SUPER_MAGIC, "nfs", kNetwork},
    Kind{SMB_SUPER_MAGIC, "smb", kNetwork},
    Kind{0xFF534D42, "cifs", kNetwork},
    Kind{0xFE534D42, "smb2", kNetwork},
    Kind{CEPH_SUPER_MAGIC, "ceph", kNetwork},
    Kind{V9FS_MAGIC, "9p", kNetwork},
    Kind{AFS_SUPER_MAGIC, "afs", kNetwork},
    Kind{AFS_FS_MAGIC, "afs", kNetwork},
    Kind{CODA_SUPER_MAGIC, "coda", kNetwork},
};

}  // namespace

std::string refusal(const std::string& directory) {
  struct statfs status {};
  if (statfs(directory.c_str(), &status) != 0) return std::strerror(errno);
  return refusal_of(static_cast<std::uint32_t>(status.f_type));
}

std::string refusal_of(std::uint32_t magic) {
  for (const Kind& kind : kKinds) {
    if (magic == kind.magic) return std::string{kind.name} + " " + kind.why;
  }
  return {};
}

}  // namespace fairfs::probe
