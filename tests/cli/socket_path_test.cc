#include "cli/socket_path.h"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "cli/answering_path.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using cli::Mount;

TEST(SocketName, IsWhatSystemdEscapeWrites) {
  EXPECT_EQ(cli::socket_name("/"), "-.sock");
  EXPECT_EQ(cli::socket_name("/mnt/data"), "mnt-data.sock");
  EXPECT_EQ(cli::socket_name("/mnt/a-b c"), "mnt-a\\x2db\\x20c.sock");
  EXPECT_EQ(cli::socket_name("/.hidden.d"), "\\x2ehidden.d.sock");
}

TEST(SocketName, LongPathsStayShortAndDifferent) {
  const std::string base(200, 'x');
  const std::string first = cli::socket_name("/" + base + "1"), second = cli::socket_name("/" + base + "2");
  EXPECT_LT(first.size(), 80U);
  EXPECT_NE(first, second);
  EXPECT_EQ(first, cli::socket_name("/" + base + "1"));
}

TEST(SocketDirectory, DependsOnTheOwner) {
  EXPECT_EQ(cli::socket_directory(0), "/run/fairfs");
  EXPECT_EQ(cli::socket_directory(54321), "/run/user/54321/fairfs");
}

// cron, su and many containers: no session, no /run/user/UID.
TEST(SocketDirectory, OfAnOwnerWithoutARuntimeDirectory) {
  constexpr uid_t kOwner = 54321;
  const std::string spare = "/tmp/fairfs-54321", name = "/" + cli::socket_name("/mnt");
  ASSERT_FALSE(std::filesystem::exists("/run/user/54321"));
  EXPECT_EQ(cli::socket_directory_to_make(kOwner), spare);
  EXPECT_EQ(cli::socket_directory_to_make(0), "/run/fairfs");
  if (geteuid() != 0) GTEST_SKIP() << "needs root: to give a directory to somebody";
  std::filesystem::remove_all(spare);
  EXPECT_EQ(cli::socket_directory_with(kOwner, "/mnt"), "/run/user/54321/fairfs");
  ASSERT_TRUE(std::filesystem::create_directory(spare));
  std::ofstream{spare + name} << "stands for a socket";
  EXPECT_EQ(cli::socket_directory_with(kOwner, "/mnt"), "/run/user/54321/fairfs") << "it is somebody else's";
  ASSERT_EQ(chown(spare.c_str(), kOwner, 0), 0);
  EXPECT_EQ(cli::socket_directory_with(kOwner, "/mnt"), spare);
  EXPECT_EQ(cli::socket_directory_with(kOwner, "/other"), "/run/user/54321/fairfs");
  std::filesystem::remove_all(spare);
}

TEST(Mounts, AreFoundInMountinfo) {
  const auto mounts = cli::parse_mounts(
      "22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw\n"
      "40 22 0:50 / /mnt/a\\040b rw,nosuid shared:3 master:4 - fuse.fairfs /data\\134x rw,user_id=0,group_id=0\n"
      "41 22 0:51 / /home/u/m rw - fuse.fairfs /home/u/d rw,user_id=1000,group_id=1000,allow_other\n"
      "42 22 0:52 / /home/u/s rw - fuse.sshfs host: rw,user_id=1000\n"
      "nonsense\n");
  const std::vector<Mount> expected{{"/mnt/a b", "/data\\x", 0, 40}, {"/home/u/m", "/home/u/d", 1000, 41}};
  EXPECT_EQ(mounts, expected);
}

TEST(ResolveMountpoint, RelativeAndThroughLinks) {
  const TemporaryDirectory folder;
  std::filesystem::create_directories(folder.path("real/mnt"));
  std::filesystem::create_symlink("real", folder.path("dir"));
  std::filesystem::create_symlink("dir/mnt", folder.path("link"));
  std::filesystem::create_symlink(folder.path("link"), folder.path("link2"));
  const std::string expected = folder.path("real/mnt");
  const std::vector<Mount> mounts{{expected, "/x", 0}};
  for (const char* name :
       {"real/mnt", "dir/mnt", "dir/mnt/", "dir/./mnt/.", "link", "link/", "link2", "real/../link2"}) {
    EXPECT_EQ(cli::resolve_mountpoint(folder.path(name), mounts), expected) << name;
    EXPECT_EQ(cli::resolve_mountpoint(folder.path(name), {}), expected) << name;
  }
  const auto before = std::filesystem::current_path();
  std::filesystem::current_path(expected);
  for (const char* name : {".", "", "../mnt", "./", "../../link"}) {
    EXPECT_EQ(cli::resolve_mountpoint(name, mounts), expected) << name;
  }
  std::filesystem::current_path(before);
  EXPECT_EQ(cli::resolve_mountpoint("/", {}), "/");
}

TEST(ResolveMountpoint, LooksAtNothingBelowAMount) {
  // The mountpoint does not even exist: had it been looked at, it could not have been found.
  const TemporaryDirectory folder;
  const std::string dead = folder.path("dead");
  EXPECT_EQ(cli::resolve_mountpoint(dead, {{dead, "/x", 0}}), dead);
  std::filesystem::create_symlink("loop", folder.path("loop"));
  EXPECT_EQ(failure_of([&] { (void)cli::resolve_mountpoint(folder.path("loop"), {}); }).second,
            "mountpoint: " + folder.path("loop") + ": Too many levels of symbolic links; name a mounted fairfs");
  EXPECT_EQ(failure_of([&] { (void)cli::resolve_mountpoint(folder.path("no/such"), {}); }).first, 1);
}

TEST(PlaceOf, IsTheLastMountOnTheWay) {
  const std::string table =
      "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
      "30 22 0:40 / /mnt/my\\040disk rw - fuse.fairfs /data rw,user_id=0\n"
      "31 30 0:41 / /mnt/my\\040disk rw shared:7 - fuse.sshfs host: rw\n";
  using Place = cli::PlaceOfPath;
  EXPECT_EQ(cli::place_of("/mnt/my disk", table), (Place{"/mnt/my disk", "fuse.sshfs"}));
  EXPECT_EQ(cli::place_of("/mnt/other/../my disk/a/b", table), (Place{"/mnt/my disk", "fuse.sshfs"}));
  EXPECT_EQ(cli::place_of("/mnt/my diskette", table), (Place{"/", "ext4"}));
  EXPECT_EQ(cli::place_of("/", table), (Place{"/", "ext4"}));
}

}  // namespace
}  // namespace fairfs::test
