// Filesystems that say nothing of a disk: by their number, and real ones where root may mount them.
#include "probe/source.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sched.h>
#include <sys/mount.h>
#include <unistd.h>

#include <filesystem>

#include "probe/filling.h"
#include "probe/runner.h"
#include "tests/probe/temporary_place.h"

namespace fairfs::test {
namespace {

TEST(Source, EveryKindSaysWhy) {
  const std::string memory = " keeps files in memory";
  const std::string network = " keeps files on another machine, which others use too";
  const std::string stacked = " lies on other filesystems, and what is read may come from any of them";
  EXPECT_EQ(probe::refusal_of(TMPFS_MAGIC), "tmpfs" + memory);
  EXPECT_EQ(probe::refusal_of(RAMFS_MAGIC), "ramfs" + memory);
  EXPECT_EQ(probe::refusal_of(NFS_SUPER_MAGIC), "nfs" + network);
  EXPECT_EQ(probe::refusal_of(0xFE534D42), "smb2" + network);
  EXPECT_EQ(probe::refusal_of(V9FS_MAGIC), "9p" + network);
  EXPECT_EQ(probe::refusal_of(CEPH_SUPER_MAGIC), "ceph" + network);
  EXPECT_EQ(probe::refusal_of(OVERLAYFS_SUPER_MAGIC), "overlay" + stacked);
  EXPECT_EQ(probe::refusal_of(FUSE_SUPER_MAGIC), "fuse" + stacked);
  EXPECT_EQ(probe::refusal_of(EXT4_SUPER_MAGIC), "");
  EXPECT_EQ(probe::refusal_of(XFS_SUPER_MAGIC), "");
  EXPECT_EQ(probe::refusal_of(BTRFS_SUPER_MAGIC), "");
}

/// Mounts of its own, gone with the process: each test is one.
class MountedSource : public testing::Test {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root";
    if (unshare(CLONE_NEWNS) != 0 || mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
      GTEST_SKIP() << "no mount namespace is to be had";
    }
  }
  void TearDown() override { umount2(place.path().c_str(), MNT_DETACH); }

  const TemporaryPlace place;
};

TEST_F(MountedSource, AnOverlayIsNotMeasured) {
  for (const char* name : {"/lower", "/upper", "/work", "/merged"}) {
    std::filesystem::create_directory(place.path() + name);
  }
  const std::string merged = place.path() + "/merged";
  const std::string options =
      "lowerdir=" + place.path() + "/lower,upperdir=" + place.path() + "/upper,workdir=" + place.path() + "/work";
  if (mount("overlay", merged.c_str(), "overlay", 0, options.c_str()) != 0) GTEST_SKIP() << "no overlay filesystem";
  const sched::DiskProfile profile = probe::measure({.directory = merged}).profile;
  umount2(merged.c_str(), MNT_DETACH);
  EXPECT_EQ(profile.confidence, sched::Confidence::none);
  EXPECT_EQ(profile.depth, sched::DiskProfile{}.depth);
  EXPECT_EQ(profile.reason,
            "not measured: overlay lies on other filesystems, and what is read may come from any of them; defaults are "
            "taken");
}

// ramfs has no direct I/O; it stands for any filesystem on a disk that hasn't.
TEST_F(MountedSource, WithoutDirectIoNothingIsMeasured) {
  if (mount("ramfs", place.path().c_str(), "ramfs", 0, nullptr) != 0) GTEST_SKIP() << "no ramfs";
  std::string why;
  EXPECT_EQ(probe::fill_file(place.path(), 64 << 20, why).bytes(), 0U);
  EXPECT_EQ(why, "the filesystem has no direct I/O");
}

TEST_F(MountedSource, AReadOnlyOneHasOnlyWhatIsThere) {
  if (mount(place.path().c_str(), place.path().c_str(), nullptr, MS_BIND, nullptr) != 0 ||
      mount(nullptr, place.path().c_str(), nullptr, MS_BIND | MS_REMOUNT | MS_RDONLY, nullptr) != 0) {
    GTEST_SKIP() << "can't be mounted read-only";
  }
  EXPECT_EQ(probe::measure({.directory = place.path()}).profile.reason,
            "not measured: there are no large files to read, and none can be made: the source is read-only; defaults "
            "are taken");
}

}  // namespace
}  // namespace fairfs::test
