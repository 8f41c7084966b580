// Errors of the file system behind arrive as they do natively.

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <map>
#include <memory>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

constexpr std::size_t kBlock = 4096;

class Errors : public DaemonTest {
 protected:
  /// errno of everything that changes something below `top`, by its name; 0 where it succeeded. Not of what isn't
  /// there: natively that is EROFS, too, but whether it is there the kernel asks the daemon first.
  static std::map<std::string, int> changes(const Path& top) {
    const auto error_of = [](auto result) { return result < 0 ? errno : 0; };
    const auto in = [&](const char* name) { return (top / name).string(); };
    const UniqueFd reading{::open(in("file").c_str(), O_RDONLY | O_CLOEXEC)};
    return {{"open to write", error_of(::open(in("file").c_str(), O_WRONLY | O_CLOEXEC))},
            {"open to truncate", error_of(::open(in("file").c_str(), O_RDONLY | O_TRUNC | O_CLOEXEC))},
            {"create", error_of(::open(in("new").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644))},
            {"create what is there", error_of(::open(in("file").c_str(), O_CREAT | O_RDONLY | O_CLOEXEC, 0644))},
            {"nameless", error_of(::open(top.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0644))},
            {"mkdir", error_of(::mkdir(in("new").c_str(), 0755))},
            {"mkdir what is there", error_of(::mkdir(in("folder").c_str(), 0755))},
            {"mkfifo", error_of(::mkfifo(in("new").c_str(), 0644))},
            {"symlink", error_of(::symlink("there", in("new").c_str()))},
            {"link", error_of(::link(in("file").c_str(), in("new").c_str()))},
            {"rename", error_of(::rename(in("file").c_str(), in("new").c_str()))},
            {"unlink", error_of(::unlink(in("file").c_str()))},
            {"rmdir", error_of(::rmdir(in("folder").c_str()))},
            {"truncate", error_of(::truncate(in("file").c_str(), 1))},
            {"chmod", error_of(::chmod(in("file").c_str(), 0600))},
            {"chmod of an open file", error_of(::fchmod(reading.get(), 0600))},
            {"chown", error_of(::chown(in("file").c_str(), 1, 1))},
            {"utimes", error_of(::utimensat(AT_FDCWD, in("file").c_str(), nullptr, 0))},
            {"setxattr", error_of(::setxattr(in("file").c_str(), "user.x", "1", 1, 0))},
            {"removexattr", error_of(::removexattr(in("file").c_str(), "user.x"))}};
  }
};

TEST_F(Errors, OfASourceThatTurnsReadOnly) {
  ASSERT_EQ(::mount("none", (root() / "source").c_str(), "tmpfs", 0, nullptr), 0);
  std::filesystem::create_directory(source("folder"));
  write_file(source("file"), "contents");
  ASSERT_EQ(mount().status, 0);
  write_file(mountpoint("file"), "changed");
  const auto remount = [&](unsigned long flags) {
    return ::mount(nullptr, (root() / "source").c_str(), nullptr, MS_REMOUNT | flags, nullptr) == 0;
  };
  // Refused while a file is open to be written; the daemon closes it after its writer.
  ASSERT_TRUE(eventually(std::chrono::seconds{10}, [&] { return remount(MS_RDONLY); }));
  const auto natively = changes(source());
  EXPECT_EQ(natively.at("create"), EROFS);
  EXPECT_EQ(changes(mountpoint()), natively);
  EXPECT_EQ(read_file(mountpoint("file")), "changed");
  ASSERT_TRUE(remount(0));
  write_file(mountpoint("file"), "again");
  EXPECT_EQ(read_file(source("file")), "again");
}

/// Writes until it fails; how much was written, and errno.
std::pair<std::size_t, int> fill(const Path& path, int flags) {
  constexpr std::size_t kPiece = 256 * kBlock, kMost = 64 << 20;
  const UniqueFd file = open_file(path, O_CREAT | O_WRONLY | flags);
  const std::unique_ptr<char, decltype(&std::free)> memory{static_cast<char*>(std::aligned_alloc(kBlock, kPiece)),
                                                           &std::free};
  pattern(kPiece).copy(memory.get(), kPiece);
  std::size_t written = 0;
  while (written < kMost) {
    const ssize_t count = ::write(file.get(), memory.get(), kPiece);
    if (count < 0) return {written, errno};
    written += static_cast<std::size_t>(count);
  }
  return {written, 0};
}

TEST_F(Errors, OfADiskThatIsFull) {
  ASSERT_EQ(::mount("none", (root() / "source").c_str(), "tmpfs", 0, "size=8m"), 0);
  ASSERT_EQ(mount().status, 0);
  for (const int flags : {0, O_DIRECT, O_SYNC}) {
    const auto native = fill(source("file"), flags);
    ASSERT_EQ(::unlink(source("file").c_str()), 0);
    const auto through = fill(mountpoint("file"), flags);
    EXPECT_EQ(native.second, ENOSPC);
    EXPECT_EQ(through, native) << flags;
    EXPECT_EQ(status_of(mountpoint("file")).st_size, status_of(source("file")).st_size);
    ASSERT_EQ(::unlink(mountpoint("file").c_str()), 0);
    // Its room is free once the daemon has closed it.
    struct statvfs space {};
    ASSERT_TRUE(eventually(std::chrono::seconds{10}, [&] {
      return ::statvfs(source().c_str(), &space) == 0 && space.f_bfree == space.f_blocks;
    }));
  }
}

// A quota group of btrfs, because it needs nothing but its own tools.
TEST_F(Errors, OfAQuota) {
  const Path image = root() / "image", disk = root() / "disk";
  std::filesystem::create_directory(disk);
  ASSERT_EQ(::ftruncate(open_file(image, O_CREAT | O_RDWR).get(), off_t{512} << 20), 0);
  if (run({"mkfs.btrfs", "-q", image}).status != 0) GTEST_SKIP() << "no mkfs.btrfs (package btrfs-progs)";
  if (run({"mount", "-o", "loop", image, disk}).status != 0) GTEST_SKIP() << "no loop device, or no btrfs here";
  ASSERT_EQ(run({"btrfs", "quota", "enable", disk}).status, 0);
  for (const char* name : {"mirrored", "twin"}) {
    ASSERT_EQ(run({"btrfs", "subvolume", "create", disk / name}).status, 0);
    ASSERT_EQ(run({"btrfs", "qgroup", "limit", "16M", disk / name}).status, 0);
  }
  ASSERT_EQ(run({program(), disk / "mirrored", mountpoint(), "-o", "probe=off"}).status, 0);
  for (const int flags : {0, O_DIRECT, O_SYNC}) {
    const auto native = fill(disk / "twin/file", flags), through = fill(mountpoint("file"), flags);
    EXPECT_EQ(native.second, EDQUOT);
    EXPECT_EQ(through.second, EDQUOT) << flags;
    EXPECT_NEAR(static_cast<double>(through.first), static_cast<double>(native.first), 2 << 20) << flags;
    EXPECT_EQ(status_of(mountpoint("file")).st_size, status_of(disk / "mirrored/file").st_size);
    for (const Path& file : {disk / "twin/file", mountpoint("file")}) {
      ASSERT_EQ(::unlink(file.c_str()), 0);
    }
    ASSERT_TRUE(eventually(std::chrono::seconds{10}, [&] {
      run({"sync", "-f", disk});
      return fill(mountpoint("room"), 0).first >= 8 << 20 && ::unlink(mountpoint("room").c_str()) == 0;
    }));
    ASSERT_TRUE(eventually(std::chrono::seconds{10}, [&] {
      run({"sync", "-f", disk});
      return fill(disk / "twin/room", 0).first >= 8 << 20 && ::unlink((disk / "twin/room").c_str()) == 0;
    }));
    run({"sync", "-f", disk});
  }
  EXPECT_EQ(::umount2((root() / "mount").c_str(), 0), 0);
}

// Known without descriptor, and removed behind the mount: nothing leads to it any more.
TEST_F(Errors, OfAFileThatIsGone) {
  for (int i = 0; i < 1000; ++i) write_file(source(std::to_string(i)), "");
  ASSERT_EQ(run({program(), source(), mountpoint()}, few_descriptors).status, 0);
  const UniqueFd held = open_file(mountpoint("0"), O_PATH);
  for (int i = 1; i < 1000; ++i) status_of(mountpoint(std::to_string(i)));
  ASSERT_EQ(::unlink(source("0").c_str()), 0);
  struct stat status {};
  EXPECT_TRUE(eventually(kCoherent, [&] { return ::fstat(held.get(), &status) != 0; }));
  EXPECT_EQ(errno, ESTALE);
  EXPECT_EQ(::open(mountpoint("0").c_str(), O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
}

}  // namespace
}  // namespace fairfs::test
