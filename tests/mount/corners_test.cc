// Corners of the interface that a mirror easily lacks: nameless files, birth times, file flags, ACLs, whiteouts.

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/xattr.h>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

class Corners : public MountTest {};

constexpr uid_t kOwner = 65534;
constexpr gid_t kGroup = 65534, kTeam = 4242;

TEST_F(Corners, NamelessFilesGetTheirNameLater) {
  const UniqueFd file = open_file(mounted(), O_TMPFILE | O_RDWR, 0640);
  ASSERT_EQ(::write(file.get(), "nameless", 8), 8);
  EXPECT_TRUE(std::filesystem::is_empty(source()));
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  ASSERT_EQ(::linkat(AT_FDCWD, path.c_str(), AT_FDCWD, mounted("named").c_str(), AT_SYMLINK_FOLLOW), 0);
  EXPECT_EQ(read_file(source("named")), "nameless");
  EXPECT_EQ(status_of(source("named")).st_mode & 07777, 0640u);
}

TEST_F(Corners, BirthTimesAreTheBackingOnes) {
  write_file(mounted("a"), "");
  struct statx seen {
  }, real{};
  ASSERT_EQ(::statx(AT_FDCWD, mounted("a").c_str(), 0, STATX_BTIME, &seen), 0);
  ASSERT_EQ(::statx(AT_FDCWD, source("a").c_str(), 0, STATX_BTIME, &real), 0);
  ASSERT_NE(real.stx_mask & STATX_BTIME, 0u);
  EXPECT_NE(seen.stx_mask & STATX_BTIME, 0u);
  EXPECT_EQ(seen.stx_btime.tv_sec, real.stx_btime.tv_sec);
  EXPECT_EQ(seen.stx_btime.tv_nsec, real.stx_btime.tv_nsec);
}

TEST_F(Corners, FileFlagsAreSetAndHeld) {
  write_file(mounted("a"), "");
  const UniqueFd file = open_file(mounted("a"), O_RDONLY);
  int flags = 0;
  ASSERT_EQ(::ioctl(file.get(), FS_IOC_GETFLAGS, &flags), 0);
  flags |= FS_APPEND_FL;
  ASSERT_EQ(::ioctl(file.get(), FS_IOC_SETFLAGS, &flags), 0);
  EXPECT_EQ(::open(mounted("a").c_str(), O_WRONLY), -1);
  EXPECT_EQ(errno, EPERM);
  const UniqueFd real = open_file(source("a"), O_RDONLY);
  int seen = 0;
  ASSERT_EQ(::ioctl(real.get(), FS_IOC_GETFLAGS, &seen), 0);
  EXPECT_NE(seen & FS_APPEND_FL, 0);
  flags &= ~FS_APPEND_FL;
  EXPECT_EQ(::ioctl(file.get(), FS_IOC_SETFLAGS, &flags), 0);
}

TEST_F(Corners, WhiteoutsAreLeftBehind) {
  write_file(mounted("a"), "");
  ASSERT_EQ(::renameat2(AT_FDCWD, mounted("a").c_str(), AT_FDCWD, mounted("b").c_str(), RENAME_WHITEOUT), 0);
  EXPECT_TRUE(S_ISCHR(link_status_of(source("a")).st_mode));
  EXPECT_EQ(link_status_of(source("a")).st_rdev, 0u);
}

TEST_F(Corners, TimesBefore1970) {
  write_file(mounted("a"), "");
  const timespec times[] = {{-86'400, 5}, {-1, 999'999'999}};
  ASSERT_EQ(::utimensat(AT_FDCWD, mounted("a").c_str(), times, 0), 0);
  for (const Path& path : {mounted("a"), source("a")}) {
    EXPECT_EQ(status_of(path).st_atim.tv_sec, -86'400) << path;
    EXPECT_EQ(status_of(path).st_mtim.tv_sec, -1) << path;
    EXPECT_EQ(status_of(path).st_mtim.tv_nsec, 999'999'999) << path;
  }
}

TEST_F(Corners, AChangeOfOwnerToTheSameStampsTheFile) {
  write_file(mounted("a"), "");
  const timespec before = status_of(source("a")).st_ctim;
  ASSERT_TRUE(eventually(kCoherent, [&] {
    if (::chown(mounted("a").c_str(), static_cast<uid_t>(-1), static_cast<gid_t>(-1))) return false;
    const timespec now = status_of(source("a")).st_ctim;
    return now.tv_sec != before.tv_sec || now.tv_nsec != before.tv_nsec;
  }));
}

TEST_F(Corners, AStrangersChangeOfNothingLeavesSetIdBits) {
  write_file(mounted("a"), "");
  ASSERT_EQ(::chown(mounted("a").c_str(), kOwner, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("a").c_str(), 06755), 0);
  constexpr auto kSame = static_cast<uid_t>(-1);
  const auto change = [&] { return ::chown(mounted("a").c_str(), kSame, kSame) ? errno : 0; };
  // Natively EPERM; the mount can't tell it from the kernel's preparation of a write and answers 0. Nothing may change.
  as_user(kOwner + 7, kGroup, {}, change);
  EXPECT_EQ(status_of(source("a")).st_mode & 07777, 06755u);
  EXPECT_EQ(as_user(kOwner, kGroup, {}, change), 0);
  EXPECT_EQ(status_of(source("a")).st_mode & 07777, 0755u);
}

TEST_F(Corners, AStrangersWriteTakesSetIdBitsOff) {
  write_file(mounted("a"), "");
  ASSERT_EQ(::chown(mounted("a").c_str(), kOwner, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("a").c_str(), 06777), 0);
  const auto write = [&] {
    const int file = ::open(mounted("a").c_str(), O_WRONLY);
    return file < 0 || ::write(file, "x", 1) != 1 ? errno : 0;
  };
  EXPECT_EQ(as_user(kOwner + 7, kGroup, {}, write), 0);
  EXPECT_EQ(status_of(source("a")).st_mode & 07777, 0777u);
}

TEST_F(Corners, SetGroupIdGoesWithTheGroup) {
  // Without group execution it stays only for members of the file's group.
  write_file(mounted("a"), "");
  ASSERT_EQ(::chown(mounted("a").c_str(), kOwner, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("a").c_str(), 02644), 0);
  ASSERT_EQ(as_user(kOwner, kGroup, {}, [&] { return ::chown(mounted("a").c_str(), kOwner, kGroup) ? errno : 0; }), 0);
  EXPECT_EQ(status_of(source("a")).st_mode & 07777, 0644u);
  ASSERT_EQ(::chown(mounted("a").c_str(), kOwner, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("a").c_str(), 02644), 0);
  const auto give = [&] { return ::chown(mounted("a").c_str(), kOwner, kGroup) ? errno : 0; };
  ASSERT_EQ(as_user(kOwner, kGroup, {kTeam}, give), 0);
  EXPECT_EQ(status_of(source("a")).st_mode & 07777, 02644u);
}

TEST_F(Corners, OtherFilesystemsInTheSourceAreSeenAndApart) {
  std::filesystem::create_directory(source("other"));
  ASSERT_EQ(::mount("none", source("other").c_str(), "tmpfs", 0, "size=1m"), 0);
  write_file(source("other/in"), "memory");
  write_file(mounted("out"), "");
  EXPECT_EQ(read_file(mounted("other/in")), "memory");
  EXPECT_EQ(::link(mounted("other/in").c_str(), mounted("x").c_str()), -1);
  EXPECT_EQ(errno, EXDEV);
  const std::string full(2 << 20, 'f');
  const UniqueFd file = open_file(mounted("other/big"), O_CREAT | O_WRONLY);
  std::size_t written = 0;
  ssize_t count = 0;
  while (written < full.size() && (count = ::write(file.get(), full.data(), 60'000)) > 0)
    written += static_cast<std::size_t>(count);
  EXPECT_EQ(count, -1);
  EXPECT_EQ(errno, ENOSPC);
  EXPECT_EQ(status_of(source("other/big")).st_size, static_cast<off_t>(written));
  EXPECT_EQ(::umount2(source("other").c_str(), MNT_DETACH), 0);
}

/// What lies below `mounted("twice")` is `mounted("real")` once more, as natively.
class BindMounts : public MountTest {
 protected:
  void SetUp() override {
    MountTest::SetUp();
    if (IsSkipped()) return;
    for (const char* name : {"real", "real/sub", "twice", "fixed"}) std::filesystem::create_directory(source(name));
    write_file(source("real/file"), "before");
    bind("twice");
    bind("fixed");
    const unsigned long flags = MS_BIND | MS_REMOUNT | MS_RDONLY;
    ASSERT_EQ(::mount(nullptr, source("fixed").c_str(), nullptr, flags, nullptr), 0) << errno;
  }
  void TearDown() override {
    for (const char* name : {"twice", "fixed"}) ::umount2(source(name).c_str(), MNT_DETACH);
    MountTest::TearDown();
  }
  void bind(const char* name) {
    ASSERT_EQ(::mount(source("real").c_str(), source(name).c_str(), nullptr, MS_BIND, nullptr), 0) << errno;
  }
};

TEST_F(BindMounts, ShowTheSameFiles) {
  EXPECT_EQ(status_of(mounted("real/file")).st_ino, status_of(mounted("twice/file")).st_ino);
  const UniqueFd one = open_file(mounted("real/file"), O_RDWR), other = open_file(mounted("twice/file"), O_RDWR);
  ASSERT_EQ(::pwrite(one.get(), "after!", 6, 0), 6);
  char seen[6] = {};
  ASSERT_EQ(::pread(other.get(), seen, sizeof seen, 0), 6);
  EXPECT_EQ(std::string(seen, sizeof seen), "after!");
  ASSERT_EQ(::flock(one.get(), LOCK_EX), 0);
  EXPECT_EQ(::flock(other.get(), LOCK_EX | LOCK_NB), -1) << "locked here, locked there";
  write_file(mounted("twice/new"), "made there");
  EXPECT_EQ(read_file(mounted("real/new")), "made there");
}

TEST_F(BindMounts, AreMountsOfTheirOwn) {
  EXPECT_EQ(::rename(mounted("real/file").c_str(), mounted("twice/moved").c_str()), -1);
  EXPECT_EQ(errno, EXDEV);
  EXPECT_EQ(::link(mounted("twice/file").c_str(), mounted("twice/linked").c_str()), 0);
  EXPECT_EQ(status_of(mounted("real/linked")).st_nlink, 2u);
  EXPECT_EQ(::rmdir(mounted("twice").c_str()), -1);
  EXPECT_EQ(errno, EBUSY);
  // Each directory keeps its own way up.
  const auto way_up = [&](const Path& directory) {
    return in_child([&] {
      const Path there = directory / "sub";
      if (::chdir(there.c_str()) != 0) return errno;
      return std::filesystem::current_path() == std::filesystem::canonical(there) ? 0 : EXDEV;
    });
  };
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(way_up(mounted("real")), 0);
    EXPECT_EQ(way_up(mounted("twice")), 0);
  }
}

TEST_F(BindMounts, ReadOnlyOnesAreReadOnly) {
  EXPECT_EQ(read_file(mounted("real/file")), "before");  // known as a file that may be written
  EXPECT_EQ(read_file(mounted("fixed/file")), "before");
  EXPECT_EQ(::open(mounted("fixed/file").c_str(), O_WRONLY), -1);
  EXPECT_EQ(errno, EROFS);
  EXPECT_EQ(::open(mounted("fixed/new").c_str(), O_CREAT | O_WRONLY, 0644), -1);
  EXPECT_EQ(errno, EROFS);
  EXPECT_EQ(::truncate(mounted("fixed/file").c_str(), 0), -1);
  EXPECT_EQ(errno, EROFS);
  EXPECT_EQ(::chmod(mounted("fixed/file").c_str(), 0600), -1);
  EXPECT_EQ(errno, EROFS);
  for (const Path& root : {mounted(), source()}) {
    EXPECT_EQ(::link((root / "fixed/file").c_str(), (root / "real/way-out").c_str()), -1) << root;
    EXPECT_EQ(errno, EXDEV);
  }
  EXPECT_FALSE(std::filesystem::exists(source("real/way-out")));
  write_file(mounted("real/file"), "after!");
  EXPECT_TRUE(eventually(kCoherent, [&] { return read_file(mounted("fixed/file")) == "after!"; }));
}

}  // namespace
}  // namespace fairfs::test
