// Sources that are no disk's file system, and what the log says of what they can't do.

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <set>

#include "tests/mount/backing.h"
#include "tests/mount/unique_fd.h"

namespace fairfs::test {
namespace {

constexpr std::size_t kBlock = 4096;
constexpr uid_t kUser = 23454;

class Backings : public BackedTest {
 protected:
  void start(Backing backing, const std::string& more = "") {
    mount_backing(backing);
    if (HasFatalFailure()) return;
    ::chmod(source().c_str(), 0777);
    const std::string options = "suid,dev,log_file=" + (root() / "log").string() + more;
    ASSERT_EQ(run({program(), source(), mountpoint(), "-o", options}).status, 0);
  }
  int lines_with(const std::string& words) const {
    const std::string log = read_file(root() / "log");
    int lines = 0;
    for (auto at = log.find(words); at != log.npos; at = log.find(words, at + 1)) ++lines;
    return lines;
  }
  std::set<std::string> names_in(const Path& directory) const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{directory}) names.insert(entry.path().filename());
    return names;
  }
  void mount_overlay(const Path& at, const Path& lower, const Path& upper, const Path& work) const {
    const std::string options =
        "lowerdir=" + lower.string() + ",upperdir=" + upper.string() + ",workdir=" + work.string();
    ASSERT_EQ(::mount("overlay", at.c_str(), "overlay", 0, options.c_str()), 0) << errno;
  }
};

/// What `file` holds, read and written with O_DIRECT.
std::string direct_round_trip(const Path& path, const std::string& bytes) {
  const UniqueFd file = open_file(path, O_CREAT | O_RDWR | O_DIRECT);
  const std::unique_ptr<char, decltype(&std::free)> memory{static_cast<char*>(std::aligned_alloc(kBlock, bytes.size())),
                                                           &std::free};
  bytes.copy(memory.get(), bytes.size());
  if (::pwrite(file.get(), memory.get(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return "not written";
  std::fill_n(memory.get(), bytes.size(), '\0');
  const ssize_t count = ::pread(file.get(), memory.get(), bytes.size(), 0);
  return count < 0 ? "not read" : std::string{memory.get(), static_cast<std::size_t>(count)};
}

TEST_F(Backings, WhereDirectIsRefusedThePageCacheServesAndTheLogSaysSoOnce) {
  start(Backing::ramfs);
  ASSERT_EQ(::open(source("native").c_str(), O_CREAT | O_RDWR | O_DIRECT, 0644), -1);
  ASSERT_EQ(errno, EINVAL);
  const std::string bytes = pattern(16 * kBlock);
  for (const char* name : {"a", "b"}) {
    EXPECT_TRUE(direct_round_trip(mountpoint(name), bytes) == bytes);
    EXPECT_TRUE(read_file(source(name)) == bytes);
  }
  EXPECT_EQ(lines_with("O_DIRECT"), 1);
}

TEST_F(Backings, WhereDirectWorksNothingIsSaid) {
  for (const Backing backing : {Backing::tmpfs, Backing::overlay, Backing::fuse}) {
    start(backing);
    const std::string bytes = pattern(16 * kBlock);
    EXPECT_TRUE(direct_round_trip(mountpoint("a"), bytes) == bytes);
    EXPECT_TRUE(read_file(source("a")) == bytes);
    EXPECT_EQ(lines_with("O_DIRECT"), 0);
    TearDown();
    SetUp();
  }
}

// The kernel asks for each directory's ACL before it lets anybody but root through.
TEST_F(Backings, WhereThereAreNoAccessListsOrdinaryUsersWork) {
  start(Backing::ramfs);
  EXPECT_EQ(as_user(kUser, kUser, {},
                    [&] {
                      write_file(mountpoint("mine"), "written");
                      std::filesystem::create_directory(mountpoint("folder"));
                      struct stat status {};
                      if (::stat(mountpoint("missing").c_str(), &status) == 0 || errno != ENOENT) return 1;
                      return read_file(mountpoint("mine")) == "written" &&
                                     status_of(mountpoint("folder")).st_uid == kUser
                                 ? 0
                                 : 2;
                    }),
            0);
}

/// What listxattr says of a file: how long the names are, and the names.
std::string attribute_names(const Path& path) {
  std::string names(1024, '\0');
  const ssize_t length = ::listxattr(path.c_str(), nullptr, 0);
  const ssize_t size = ::listxattr(path.c_str(), names.data(), names.size());
  return std::to_string(length) + " " + names.substr(0, static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
}

// ext4 hides them from ordinary users; overlayfs does, but counts them; btrfs doesn't.
TEST_F(Backings, TrustedNamesAreShownToWhomTheSourceShowsThem) {
  for (const Backing backing : {Backing::disk, Backing::tmpfs, Backing::overlay, Backing::fuse}) {
    SCOPED_TRACE(name_of(backing));
    start(backing);
    write_file(source("a"), "");
    ASSERT_EQ(::setxattr(source("a").c_str(), "trusted.one", "1", 1, 0), 0);
    ASSERT_EQ(::setxattr(source("a").c_str(), "user.two", "2", 1, 0), 0);
    EXPECT_NE(attribute_names(mountpoint("a")).find("trusted.one"), std::string::npos);
    EXPECT_EQ(attribute_names(mountpoint("a")), attribute_names(source("a")));
    const auto same = [&] { return attribute_names(mountpoint("a")) == attribute_names(source("a")) ? 0 : 1; };
    EXPECT_EQ(as_user(kUser, kUser, {}, same), 0);
    TearDown();
    SetUp();
  }
}

TEST_F(Backings, WhereRangesBoundNothingWriteBehindWritesFilesAndSaysSoOnce) {
  start(Backing::fuse, ",write_behind=on");
  const std::string bytes = pattern(4 << 20);
  for (const char* name : {"a", "b"}) {
    write_file(mountpoint(name), bytes);
    EXPECT_EQ(::fsync(open_file(mountpoint(name), O_RDWR).get()), 0);
    EXPECT_TRUE(read_file(source(name)) == bytes);
  }
  EXPECT_EQ(lines_with("whole files"), 1);
}

// A file of the lower layer that is removed leaves a whiteout above, which nobody may see.
TEST_F(Backings, OverlaysHideWhatWasRemoved) {
  for (const char* part : {"lower", "upper", "work"}) std::filesystem::create_directory(root() / part);
  std::filesystem::create_directory(root() / "lower/folder");
  for (const char* name : {"gone", "stays", "moved", "folder/in"}) write_file(root() / "lower" / name, name);
  mount_overlay(root() / "source", root() / "lower", root() / "upper", root() / "work");
  start(Backing::disk);
  EXPECT_EQ(::unlink(mountpoint("gone").c_str()), 0);
  EXPECT_EQ(::rename(mountpoint("moved").c_str(), mountpoint("renamed").c_str()), 0);
  EXPECT_EQ(std::filesystem::remove_all(mountpoint("folder")), 2u);
  std::filesystem::create_directory(mountpoint("folder"));  // opaque: nothing from below shines through
  write_file(mountpoint("stays"), "copied up");
  EXPECT_EQ(names_in(mountpoint()), (std::set<std::string>{"stays", "renamed", "folder"}));
  EXPECT_EQ(names_in(mountpoint("folder")), std::set<std::string>{});
  EXPECT_EQ(names_in(source()), names_in(mountpoint()));
  EXPECT_EQ(::open(mountpoint("gone").c_str(), O_RDONLY), -1);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(read_file(root() / "upper/stays"), "copied up");
  EXPECT_TRUE(S_ISCHR(status_of(root() / "upper/gone").st_mode));
}

// And the other way round: an overlay above the mount, which keeps its whiteouts there.
TEST_F(Backings, CarriesAnOverlay) {
  start(Backing::disk);
  for (const char* part : {"lower", "upper", "work"}) std::filesystem::create_directory(mountpoint(part));
  for (const char* name : {"gone", "changed", "stays"}) write_file(mountpoint("lower") / name, "lower");
  std::filesystem::create_directory(root() / "merged");
  mount_overlay(root() / "merged", mountpoint("lower"), mountpoint("upper"), mountpoint("work"));
  EXPECT_EQ(::unlink((root() / "merged/gone").c_str()), 0);
  write_file(root() / "merged/changed", "upper");
  EXPECT_EQ(names_in(root() / "merged"), (std::set<std::string>{"changed", "stays"}));
  EXPECT_EQ(read_file(mountpoint("lower/changed")), "lower");
  EXPECT_EQ(read_file(source("upper/changed")), "upper");
  const struct stat whiteout = status_of(source("upper/gone"));
  EXPECT_TRUE(S_ISCHR(whiteout.st_mode) && whiteout.st_rdev == makedev(0, 0));
  EXPECT_EQ(::umount2((root() / "merged").c_str(), 0), 0);
}

TEST_F(Backings, WhatLiesBehindAnotherDaemonEndsWithIt) {
  start(Backing::fuse);
  write_file(mountpoint("a"), "through both");
  EXPECT_EQ(read_file(root() / "behind/a"), "through both");
  ASSERT_EQ(::umount2((root() / "source").c_str(), MNT_DETACH), 0);
  // The outer one holds the inner one's root: it goes on until it ends itself.
  EXPECT_EQ(read_file(mountpoint("a")), "through both");
  EXPECT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_TRUE(eventually(std::chrono::seconds{10}, [&] { return daemon() == 0; })) << "the inner one has ended, too";
}

}  // namespace
}  // namespace fairfs::test
