#include "tests/mount/backing.h"

#include <sys/mount.h>

#include <cerrno>

namespace fairfs::test {

std::string name_of(Backing backing) {
  switch (backing) {
    case Backing::disk:
      return "Disk";
    case Backing::tmpfs:
      return "Tmpfs";
    case Backing::ramfs:
      return "Ramfs";
    case Backing::overlay:
      return "Overlay";
    case Backing::fuse:
      return "Fuse";
  }
  return "?";
}

void BackedTest::mount_backing(Backing backing) {
  const Path at = root() / "source";
  if (backing == Backing::tmpfs || backing == Backing::ramfs) {
    ASSERT_EQ(::mount("none", at.c_str(), backing == Backing::tmpfs ? "tmpfs" : "ramfs", 0, nullptr), 0) << errno;
  } else if (backing == Backing::overlay) {
    for (const char* part : {"lower", "upper", "work"}) std::filesystem::create_directory(root() / part);
    const std::string options = "lowerdir=" + (root() / "lower").string() + ",upperdir=" + (root() / "upper").string() +
                                ",workdir=" + (root() / "work").string();
    ASSERT_EQ(::mount("overlay", at.c_str(), "overlay", 0, options.c_str()), 0) << errno;
  } else if (backing == Backing::fuse) {
    std::filesystem::create_directory(root() / "behind");
    ASSERT_EQ(run({program(), root() / "behind", at, "-o", "suid,dev"}).status, 0);
  }
}

}  // namespace fairfs::test
