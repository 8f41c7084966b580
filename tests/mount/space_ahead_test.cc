// Files that grow side by side get space ahead, and nobody sees it afterwards.
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/fiemap.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <string>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

constexpr off_t kMiB = off_t{1} << 20;

class SpaceAhead : public DaemonTest {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    struct statfs found {};
    if (::geteuid() != 0 || ::statfs(source().c_str(), &found) != 0 || found.f_type != EXT4_SUPER_MAGIC)
      GTEST_SKIP() << "needs root and a source on ext4";
  }

  /// Bytes of the file's blocks beyond its size.
  off_t surplus(const std::string& name) const {
    const struct stat found = status_of(source(name));
    return found.st_blocks * 512 - (found.st_size + 4095) / 4096 * 4096;
  }
  bool anything_behind(const std::string& name) const {
    const UniqueFd file = open_file(source(name), O_RDONLY);
    fiemap behind{};
    behind.fm_start = static_cast<std::uint64_t>((status_of(source(name)).st_size + 4095) / 4096 * 4096);
    behind.fm_length = FIEMAP_MAX_OFFSET - behind.fm_start;
    return ::ioctl(file.get(), FS_IOC_FIEMAP, &behind) != 0 || behind.fm_mapped_extents != 0;
  }
  UniqueFd created(const std::string& name) const { return open_file(mountpoint(name), O_WRONLY | O_CREAT); }
  /// Both MiB by MiB, in turn.
  void grow(const UniqueFd& one, const UniqueFd& two, int from, int to) {
    for (off_t at = from; at < to; ++at)
      for (const UniqueFd* file : {&one, &two})
        ASSERT_EQ(::pwrite(file->get(), data_.data(), data_.size(), at * kMiB), kMiB);
  }

  const std::string data_ = pattern(kMiB);
};

TEST_F(SpaceAhead, IsGivenBackWhenTheFileIsClosed) {
  mount_in_foreground("write_behind=on");
  const timespec times[] = {{.tv_sec = 7, .tv_nsec = 0}, {.tv_sec = 1'000'000'000, .tv_nsec = 123'456'789}};
  {
    const UniqueFd one = created("one"), two = created("two");
    grow(one, two, 0, 40);
    ASSERT_EQ(::pwrite(two.get(), "end", 3, 40 * kMiB), 3);
    EXPECT_TRUE(anything_behind("one") && anything_behind("two"));
    EXPECT_GT(surplus("one"), 16 * kMiB);
    ASSERT_EQ(::futimens(one.get(), times), 0);
  }
  EXPECT_TRUE(eventually(std::chrono::seconds{20}, [&] { return !anything_behind("one") && !anything_behind("two"); }));
  EXPECT_EQ(surplus("one"), 0);
  EXPECT_EQ(status_of(source("one")).st_mtim.tv_sec, times[1].tv_sec);
  EXPECT_EQ(status_of(source("one")).st_mtim.tv_nsec, times[1].tv_nsec);
  EXPECT_EQ(status_of(source("one")).st_size, 40 * kMiB);
  EXPECT_EQ(status_of(source("two")).st_size, 40 * kMiB + 3);
  const std::string found = read_file(source("one"));
  for (std::size_t at = 0; at < found.size(); at += data_.size())
    ASSERT_TRUE(found.compare(at, data_.size(), data_) == 0) << at;
}

// On a full disk the next file wants its blocks at once. The kernel tells in its own time, so most must do.
TEST_F(SpaceAhead, AFileWithoutANameIsLetGoAtOnce) {
  mount_in_foreground("write_behind=on");
  const auto keeps_it = [&] {
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/" + std::to_string(daemon()) + "/fd"}) {
      std::error_code closed;
      if (std::filesystem::read_symlink(entry.path(), closed).string().ends_with("/gone (deleted)")) return true;
    }
    return false;
  };
  int at_once = 0;
  for (int i = 0; i < 10; ++i) {
    {
      const UniqueFd file = created("gone");
      for (off_t at = 0; at < 20; ++at) ASSERT_EQ(::pwrite(file.get(), data_.data(), data_.size(), at * kMiB), kMiB);
      ASSERT_EQ(::fsync(file.get()), 0);
    }
    ASSERT_EQ(::unlink(mountpoint("gone").c_str()), 0);
    if (eventually(std::chrono::milliseconds{30}, [&] { return !keeps_it(); })) ++at_once;
    EXPECT_TRUE(eventually(std::chrono::seconds{10}, [&] { return !keeps_it(); }));
  }
  EXPECT_GE(at_once, 6);
}

TEST_F(SpaceAhead, IsGivenBackAtTheEnd) {
  const pid_t daemon = mount_in_foreground("write_behind=on");
  const UniqueFd one = created("one"), two = created("two");
  grow(one, two, 0, 20);
  EXPECT_TRUE(anything_behind("one"));
  ASSERT_EQ(::kill(daemon, SIGTERM), 0);
  EXPECT_EQ(end_of(daemon), 0);
  EXPECT_FALSE(anything_behind("one") || anything_behind("two"));
  EXPECT_EQ(status_of(source("one")).st_size, 20 * kMiB);
}

// Truncating a file that somebody makes longer behind the mount would take what they have written.
TEST_F(SpaceAhead, StaysWhileSomebodyElseHasTheFileOpen) {
  mount_in_foreground("write_behind=on");
  const UniqueFd other = [&] {
    const UniqueFd one = created("one"), two = created("two");
    grow(one, two, 0, 20);
    return open_file(source("one"), O_WRONLY | O_APPEND);
  }();
  EXPECT_TRUE(eventually(std::chrono::seconds{20}, [&] { return !anything_behind("two"); }));
  for (int i = 0; i < 100; ++i) ASSERT_EQ(::write(other.get(), data_.data(), 1000), 1000);
  EXPECT_TRUE(anything_behind("one"));
  EXPECT_EQ(status_of(source("one")).st_size, 20 * kMiB + 100'000);
}

// A program that is installed beside another and made capable before its space is taken off.
TEST_F(SpaceAhead, GivingItBackLeavesCapabilitiesAndSetIdBits) {
  mount_in_foreground("write_behind=on");
  const vfs_cap_data capability{.magic_etc = VFS_CAP_REVISION_2 | VFS_CAP_FLAGS_EFFECTIVE,
                                .data = {{.permitted = 1U << CAP_NET_RAW, .inheritable = 0}, {}}};
  UniqueFd reader;  // keeps it from being given back
  {
    const UniqueFd one = created("one"), two = created("two");
    grow(one, two, 0, 20);
    reader = open_file(source("one"), O_RDONLY);
  }
  ASSERT_EQ(::chmod(mountpoint("one").c_str(), 06755), 0);
  ASSERT_EQ(::setxattr(mountpoint("one").c_str(), "security.capability", &capability, XATTR_CAPS_SZ_2, 0), 0);
  ASSERT_TRUE(anything_behind("one"));
  reader = {};
  EXPECT_TRUE(eventually(std::chrono::seconds{20}, [&] { return !anything_behind("one"); }));
  vfs_cap_data found{};
  EXPECT_EQ(::getxattr(source("one").c_str(), "security.capability", &found, sizeof found), XATTR_CAPS_SZ_2);
  EXPECT_EQ(std::memcmp(&found, &capability, XATTR_CAPS_SZ_2), 0);
  EXPECT_EQ(status_of(source("one")).st_mode & 07777, 06755U);
}

TEST_F(SpaceAhead, CallersOwnSpaceIsLeftAlone) {
  mount_in_foreground("write_behind=on");
  {
    const UniqueFd one = created("one"), two = created("two");
    ASSERT_EQ(::fallocate(one.get(), FALLOC_FL_KEEP_SIZE, 0, 200 * kMiB), 0);
    grow(one, two, 0, 20);
  }
  EXPECT_TRUE(eventually(std::chrono::seconds{20}, [&] { return !anything_behind("two"); }));
  EXPECT_GE(surplus("one"), 180 * kMiB);
}

TEST_F(SpaceAhead, AFileAloneGetsNone) {
  mount_in_foreground("write_behind=on");
  const UniqueFd one = created("one");
  for (off_t at = 0; at < 100; ++at) {
    ASSERT_EQ(::pwrite(one.get(), data_.data(), data_.size(), at * kMiB), kMiB);
    ASSERT_FALSE(anything_behind("one")) << at;
  }
}

}  // namespace
}  // namespace fairfs::test
