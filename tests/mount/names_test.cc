// What is called what: directories, links, renames, special files, extended attributes.

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/xattr.h>

#include <cstring>
#include <memory>
#include <set>
#include <vector>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

class Names : public MountTest {};

using Folder = std::unique_ptr<DIR, int (*)(DIR*)>;
Folder open_folder(const Path& path) { return {::opendir(path.c_str()), ::closedir}; }

/// The names left to read in `folder`, without . and ..
std::vector<std::string> rest_of(DIR* folder) {
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(folder))
    if (std::strcmp(entry->d_name, ".") && std::strcmp(entry->d_name, "..")) names.push_back(entry->d_name);
  return names;
}

void fill(const Path& folder, int count) {
  for (int i = 0; i < count; ++i) write_file(folder / ("file-" + std::to_string(i)), "");
}

TEST_F(Names, RenameReplacesAndMoves) {
  write_file(mounted("a"), "a");
  write_file(mounted("b"), "b");
  ASSERT_EQ(::mkdir(mounted("folder").c_str(), 0755), 0);
  ASSERT_EQ(::rename(mounted("a").c_str(), mounted("b").c_str()), 0);
  EXPECT_EQ(read_file(mounted("b")), "a");
  EXPECT_FALSE(std::filesystem::exists(mounted("a")));
  ASSERT_EQ(::rename(mounted("b").c_str(), mounted("folder/c").c_str()), 0);
  EXPECT_EQ(read_file(source("folder/c")), "a");
  ASSERT_EQ(::rename(mounted("folder").c_str(), mounted("other").c_str()), 0);
  EXPECT_EQ(read_file(mounted("other/c")), "a");
}

TEST_F(Names, RenameFlagsAreHonoured) {
  write_file(mounted("a"), "a");
  write_file(mounted("b"), "b");
  EXPECT_EQ(::renameat2(AT_FDCWD, mounted("a").c_str(), AT_FDCWD, mounted("b").c_str(), RENAME_NOREPLACE), -1);
  EXPECT_EQ(errno, EEXIST);
  ASSERT_EQ(::renameat2(AT_FDCWD, mounted("a").c_str(), AT_FDCWD, mounted("b").c_str(), RENAME_EXCHANGE), 0);
  EXPECT_EQ(read_file(mounted("a")), "b");
  EXPECT_EQ(read_file(mounted("b")), "a");
}

TEST_F(Names, RenameUnderAnOpenHandle) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT);
  write_file(mounted("b"), "replaced");
  const UniqueFd replaced = open_file(mounted("b"), O_RDONLY);
  ASSERT_EQ(::rename(mounted("a").c_str(), mounted("b").c_str()), 0);
  ASSERT_EQ(::write(file.get(), "moved", 5), 5);
  EXPECT_EQ(read_file(mounted("b")), "moved");
  char piece[16] = {};
  EXPECT_EQ(::read(replaced.get(), piece, sizeof piece), 8);
  EXPECT_STREQ(piece, "replaced");
}

TEST_F(Names, RenameOntoAFullDirectoryFails) {
  std::filesystem::create_directories(mounted("full/inner"));
  std::filesystem::create_directory(mounted("empty"));
  EXPECT_EQ(::rename(mounted("empty").c_str(), mounted("full").c_str()), -1);
  EXPECT_EQ(errno, ENOTEMPTY);
  EXPECT_EQ(::rmdir(mounted("full").c_str()), -1);
  EXPECT_EQ(errno, ENOTEMPTY);
  EXPECT_EQ(::rename(mounted("full").c_str(), mounted("empty").c_str()), 0);
}

TEST_F(Names, HardLinksAreOneFile) {
  write_file(mounted("a"), "a");
  ASSERT_EQ(::link(mounted("a").c_str(), mounted("b").c_str()), 0);
  EXPECT_EQ(status_of(mounted("a")).st_ino, status_of(mounted("b")).st_ino);
  EXPECT_EQ(status_of(mounted("a")).st_nlink, 2u);
  write_file(mounted("b"), "written as b");
  EXPECT_EQ(read_file(mounted("a")), "written as b");
  ASSERT_EQ(::unlink(mounted("a").c_str()), 0);
  EXPECT_EQ(status_of(mounted("b")).st_nlink, 1u);
}

TEST_F(Names, InodeNumbersAreTheBackingOnes) {
  write_file(mounted("a"), "a");
  EXPECT_EQ(status_of(mounted("a")).st_ino, status_of(source("a")).st_ino);
}

TEST_F(Names, SymbolicLinksKeepTheirText) {
  const std::string deep(4'000, 'x');
  for (const std::string& text : {std::string{"a"}, std::string{"../not/there"}, deep}) {
    ASSERT_EQ(::symlink(text.c_str(), mounted("link").c_str()), 0);
    EXPECT_EQ(std::filesystem::read_symlink(mounted("link")), text);
    EXPECT_EQ(std::filesystem::read_symlink(source("link")), text);
    EXPECT_EQ(link_status_of(mounted("link")).st_size, static_cast<off_t>(text.size()));
    ASSERT_EQ(::unlink(mounted("link").c_str()), 0);
  }
  write_file(mounted("a"), "through the link");
  ASSERT_EQ(::symlink("a", mounted("link").c_str()), 0);
  EXPECT_EQ(read_file(mounted("link")), "through the link");
}

TEST_F(Names, LongNamesAreRefusedAndOddNamesAreNot) {
  const std::string longest(255, 'n');
  write_file(mounted(longest), "");
  EXPECT_EQ(::open(mounted(longest + "n").c_str(), O_CREAT | O_WRONLY, 0644), -1);
  EXPECT_EQ(errno, ENAMETOOLONG);
  for (const char* name : {"with space", "new\nline", "\xff\xfe not utf-8", "-rf", "..."}) {
    write_file(mounted(name), name);
    EXPECT_EQ(read_file(source(name)), name);
  }
}

TEST_F(Names, FifosCarryDataAndDevicesKeepTheirNumbers) {
  ASSERT_EQ(::mkfifo(mounted("fifo").c_str(), 0644), 0);
  EXPECT_TRUE(S_ISFIFO(status_of(source("fifo")).st_mode));
  const UniqueFd fifo = open_file(mounted("fifo"), O_RDWR);
  EXPECT_EQ(in_child([&] {
              const UniqueFd end = open_file(mounted("fifo"), O_WRONLY);
              return ::write(end.get(), "hello", 5) == 5 ? 0 : 1;
            }),
            0);
  char piece[8] = {};
  EXPECT_EQ(::read(fifo.get(), piece, 5), 5);
  EXPECT_STREQ(piece, "hello");

  ASSERT_EQ(::mknod(mounted("null").c_str(), S_IFCHR | 0600, ::makedev(1, 3)), 0);
  ASSERT_EQ(::mknod(mounted("disk").c_str(), S_IFBLK | 0600, ::makedev(7, 300)), 0);
  for (const Path& path : {mounted("null"), source("null")}) {
    EXPECT_TRUE(S_ISCHR(status_of(path).st_mode)) << path;
    EXPECT_EQ(status_of(path).st_rdev, ::makedev(1, 3)) << path;
  }
  EXPECT_EQ(status_of(mounted("disk")).st_rdev, ::makedev(7, 300));
  ASSERT_EQ(::mknod(mounted("plain").c_str(), S_IFREG | 0640, 0), 0);
  EXPECT_EQ(status_of(source("plain")).st_mode, S_IFREG | 0640u);
}

TEST_F(Names, ExtendedAttributes) {
  write_file(mounted("a"), "");
  const std::string path = mounted("a");
  ASSERT_EQ(::setxattr(path.c_str(), "user.colour", "blue", 4, XATTR_CREATE), 0);
  EXPECT_EQ(::setxattr(path.c_str(), "user.colour", "red", 3, XATTR_CREATE), -1);
  EXPECT_EQ(errno, EEXIST);
  EXPECT_EQ(::setxattr(path.c_str(), "user.size", "1", 1, XATTR_REPLACE), -1);
  EXPECT_EQ(errno, ENODATA);
  ASSERT_EQ(::setxattr(path.c_str(), "trusted.seen", "yes", 3, 0), 0);
  char value[64] = {};
  EXPECT_EQ(::getxattr(path.c_str(), "user.colour", nullptr, 0), 4);
  EXPECT_EQ(::getxattr(path.c_str(), "user.colour", value, sizeof value), 4);
  EXPECT_STREQ(value, "blue");
  EXPECT_EQ(::getxattr(path.c_str(), "user.colour", value, 2), -1);
  EXPECT_EQ(errno, ERANGE);
  char names[256], expected[256];
  const ssize_t size = ::listxattr(path.c_str(), names, sizeof names);
  ASSERT_EQ(size, ::listxattr(source("a").c_str(), expected, sizeof expected));
  EXPECT_EQ(std::string(names, static_cast<std::size_t>(size)), std::string(expected, static_cast<std::size_t>(size)));
  ASSERT_EQ(::removexattr(path.c_str(), "user.colour"), 0);
  EXPECT_EQ(::getxattr(source("a").c_str(), "user.colour", value, sizeof value), -1);
  EXPECT_EQ(errno, ENODATA);
  ASSERT_EQ(::symlink("a", mounted("link").c_str()), 0);
  EXPECT_EQ(::lsetxattr(mounted("link").c_str(), "trusted.of", "link", 4, 0), 0);
  EXPECT_EQ(::lgetxattr(source("link").c_str(), "trusted.of", value, sizeof value), 4);
}

TEST_F(Names, StatfsIsTheBackingFilesystems) {
  // Others use the disk too: two equal looks at the backing filesystem must enclose the same seen through the mount.
  struct statvfs before {
  }, seen{}, after{};
  EXPECT_TRUE(eventually(kCoherent,
                         [&] {
                           if (::statvfs(source().c_str(), &before) || ::statvfs(mounted().c_str(), &seen) ||
                               ::statvfs(source().c_str(), &after))
                             return false;
                           if (before.f_bfree != after.f_bfree || before.f_ffree != after.f_ffree) return false;
                           return seen.f_bfree == before.f_bfree && seen.f_bavail == before.f_bavail &&
                                  seen.f_ffree == before.f_ffree;
                         }))
      << "free blocks " << before.f_bfree << " but " << seen.f_bfree << " seen";
  EXPECT_EQ(seen.f_blocks, before.f_blocks);
  EXPECT_EQ(seen.f_files, before.f_files);
  EXPECT_EQ(seen.f_bsize, before.f_bsize);
  EXPECT_EQ(seen.f_frsize, before.f_frsize);
  EXPECT_EQ(seen.f_namemax, before.f_namemax);
}

TEST_F(Names, BigDirectoriesAreListedOnceEach) {
  constexpr int kFiles = 5'000;
  fill(source(), kFiles);
  const Folder folder = open_folder(mounted());
  ASSERT_TRUE(folder);
  const std::vector<std::string> names = rest_of(folder.get());
  EXPECT_EQ(names.size(), static_cast<std::size_t>(kFiles));
  EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), static_cast<std::size_t>(kFiles));
}

TEST_F(Names, EntriesHaveTypesAndInodes) {
  write_file(mounted("file"), "");
  std::filesystem::create_directory(mounted("folder"));
  ASSERT_EQ(::symlink("file", mounted("link").c_str()), 0);
  const Folder folder = open_folder(mounted());
  ASSERT_TRUE(folder);
  while (const dirent* entry = ::readdir(folder.get())) {
    const std::string name = entry->d_name;
    if (name == "." || name == "..") continue;
    EXPECT_EQ(entry->d_type, name == "file" ? DT_REG : name == "folder" ? DT_DIR : DT_LNK) << name;
    EXPECT_EQ(entry->d_ino, link_status_of(mounted(name)).st_ino) << name;
  }
}

TEST_F(Names, DirectoryOffsetsCanBeReturnedTo) {
  fill(source(), 3'000);
  const Folder folder = open_folder(mounted());
  ASSERT_TRUE(folder);
  for (int i = 0; i < 1'000; ++i) ASSERT_TRUE(::readdir(folder.get()));
  const long middle = ::telldir(folder.get());
  const std::vector<std::string> first = rest_of(folder.get());
  ::seekdir(folder.get(), middle);
  EXPECT_EQ(rest_of(folder.get()), first);
  ::rewinddir(folder.get());
  EXPECT_EQ(rest_of(folder.get()).size(), 3'000u);
}

TEST_F(Names, RemovingWhileListingMissesNothing) {
  fill(mounted(), 2'000);
  const Folder folder = open_folder(mounted());
  ASSERT_TRUE(folder);
  int removed = 0;
  while (const dirent* entry = ::readdir(folder.get()))
    if (entry->d_name[0] != '.' && ::unlink(mounted(entry->d_name).c_str()) == 0) ++removed;
  EXPECT_EQ(removed, 2'000);
  EXPECT_TRUE(std::filesystem::is_empty(source()));
}

TEST_F(Names, TimesAreSetToTheNanosecond) {
  write_file(mounted("a"), "");
  const timespec times[] = {{1'000'000'000, 123'456'789}, {2'000'000'000, 987'654'321}};
  ASSERT_EQ(::utimensat(AT_FDCWD, mounted("a").c_str(), times, 0), 0);
  const timespec only_mtime[] = {{0, UTIME_OMIT}, {5, 5}};
  EXPECT_EQ(status_of(mounted("a")).st_mtim.tv_nsec, 987'654'321);
  ASSERT_EQ(::utimensat(AT_FDCWD, mounted("a").c_str(), only_mtime, 0), 0);
  for (const Path& path : {mounted("a"), source("a")}) {
    EXPECT_EQ(status_of(path).st_atim.tv_sec, 1'000'000'000) << path;
    EXPECT_EQ(status_of(path).st_atim.tv_nsec, 123'456'789) << path;
    EXPECT_EQ(status_of(path).st_mtim.tv_sec, 5) << path;
  }
}

}  // namespace
}  // namespace fairfs::test
