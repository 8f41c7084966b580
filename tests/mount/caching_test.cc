// What the kernel keeps for the mount: never longer than it is right, and as long as it is.

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <vector>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

class Caching : public MountTest {};

constexpr std::size_t kPage = 4096;
constexpr std::size_t kPages = 64;

/// How many of the first `kPages` pages of `path` the kernel holds.
std::ptrdiff_t resident_pages(const Path& path) {
  const UniqueFd file = open_file(path, O_RDONLY);
  void* memory = ::mmap(nullptr, kPages * kPage, PROT_READ, MAP_SHARED, file.get(), 0);
  if (memory == MAP_FAILED) return -1;
  std::vector<unsigned char> resident(kPages);
  const int failed = ::mincore(memory, kPages * kPage, resident.data());
  ::munmap(memory, kPages * kPage);
  return failed ? -1 : std::count_if(resident.begin(), resident.end(), [](unsigned char page) { return page & 1; });
}

/// Whether the file's last change is `age` or longer ago.
bool is_older_than(const Path& path, std::chrono::nanoseconds age) {
  const timespec changed = status_of(path).st_ctim;
  const auto since_epoch = std::chrono::seconds{changed.tv_sec} + std::chrono::nanoseconds{changed.tv_nsec};
  return std::chrono::system_clock::now().time_since_epoch() - since_epoch >= age;
}

std::ptrdiff_t open_descriptors(pid_t process) {
  const std::filesystem::directory_iterator entries{"/proc/" + std::to_string(process) + "/fd"};
  return std::distance(begin(entries), end(entries));
}

TEST_F(Caching, ChangesBehindTheMountShowWithinASecond) {
  write_file(source("a"), "old");
  ASSERT_EQ(read_file(mounted("a")), "old");
  write_file(source("a"), "new and longer");
  EXPECT_TRUE(eventually(kCoherent, [&] { return read_file(mounted("a")) == "new and longer"; }));
  EXPECT_TRUE(eventually(kCoherent, [&] { return status_of(mounted("a")).st_size == 14; }));
}

TEST_F(Caching, FilesReplacedBehindTheMountAreNeverStale) {
  write_file(source("a"), "old");
  ASSERT_EQ(read_file(mounted("a")), "old");
  write_file(source("b"), "new");
  ASSERT_EQ(::rename(source("b").c_str(), source("a").c_str()), 0);
  // read_file throws on ESTALE or ENOENT: the name is there at every moment.
  EXPECT_TRUE(eventually(kCoherent, [&] { return read_file(mounted("a")) == "new"; }));
}

TEST_F(Caching, NamesMadeAndRemovedBehindTheMountFollow) {
  std::filesystem::create_directory(source("folder"));
  ASSERT_FALSE(std::filesystem::exists(mounted("folder/a")));
  write_file(source("folder/a"), "a");
  EXPECT_TRUE(eventually(kCoherent, [&] { return std::filesystem::exists(mounted("folder/a")); }));
  EXPECT_EQ(read_file(mounted("folder/a")), "a");
  std::filesystem::remove_all(source("folder"));
  EXPECT_TRUE(eventually(kCoherent, [&] { return !std::filesystem::exists(mounted("folder/a")); }));
  EXPECT_TRUE(eventually(kCoherent, [&] { return !std::filesystem::exists(mounted("folder")); }));
  // The same name as something else: the old inode must not come back.
  write_file(source("folder"), "a file now");
  EXPECT_TRUE(eventually(kCoherent, [&] { return std::filesystem::is_regular_file(mounted("folder")); }));
  EXPECT_EQ(read_file(mounted("folder")), "a file now");
}

TEST_F(Caching, PermissionsChangedBehindTheMountFollow) {
  write_file(source("a"), "");
  ASSERT_EQ(status_of(mounted("a")).st_mode & 0777, 0644u);
  ASSERT_EQ(::chmod(source("a").c_str(), 0600), 0);
  EXPECT_TRUE(eventually(kCoherent, [&] { return (status_of(mounted("a")).st_mode & 0777) == 0600; }));
}

TEST_F(Caching, PagesSurviveReopeningAnUnchangedFile) {
  write_file(source("a"), pattern(kPages * kPage));
  // A ctime younger than the clock's tick tells nothing, so the file has to age before its pages are kept.
  ASSERT_TRUE(eventually(5s, [&] { return is_older_than(source("a"), 2500ms); }));
  ASSERT_EQ(read_file(mounted("a")), pattern(kPages * kPage));
  EXPECT_EQ(resident_pages(mounted("a")), static_cast<std::ptrdiff_t>(kPages));
  EXPECT_EQ(resident_pages(mounted("a")), static_cast<std::ptrdiff_t>(kPages)) << "and again";
}

TEST_F(Caching, AFileRewrittenWithinOneTickIsNotServedStale) {
  // Same size, and written so soon after being read that its times may well be the same.
  constexpr int kFiles = 50;
  const auto name = [](int i) { return "file-" + std::to_string(i); };
  for (int i = 0; i < kFiles; ++i) {
    write_file(source(name(i)), pattern(kPage, 1));
    ASSERT_EQ(read_file(mounted(name(i))), pattern(kPage, 1));
    write_file(source(name(i)), pattern(kPage, 2));
  }
  for (int i = 0; i < kFiles; ++i) {
    EXPECT_TRUE(eventually(kCoherent, [&] { return read_file(mounted(name(i))) == pattern(kPage, 2); })) << i;
    EXPECT_EQ(read_file(mounted(name(i))), pattern(kPage, 2)) << i;
  }
}

TEST_F(Caching, WritesThroughOneHandleAreSeenThroughAnother) {
  write_file(mounted("a"), std::string(kPage, 'a'));
  const UniqueFd reader = open_file(mounted("a"), O_RDONLY);
  const UniqueFd writer = open_file(mounted("a"), O_WRONLY);
  char byte = 0;
  ASSERT_EQ(::pread(reader.get(), &byte, 1, 7), 1);
  ASSERT_EQ(::pwrite(writer.get(), "b", 1, 7), 1);
  ASSERT_EQ(::pread(reader.get(), &byte, 1, 7), 1);
  EXPECT_EQ(byte, 'b');
}

TEST_F(Caching, ForgottenInodesGiveTheirDescriptorsBack) {
  if (native()) GTEST_SKIP() << "native: no daemon, nothing to forget";
  constexpr int kFiles = 2'000;
  for (int i = 0; i < kFiles; ++i) write_file(source("file-" + std::to_string(i)), "");
  const std::ptrdiff_t at_start = open_descriptors(daemon());
  for (int i = 0; i < kFiles; ++i) status_of(mounted("file-" + std::to_string(i)));
  // A daemon may keep a few (pools, caches of its own), but not one per file.
  EXPECT_TRUE(eventually(10s,
                         [&] {
                           write_file("/proc/sys/vm/drop_caches", "2");
                           return open_descriptors(daemon()) <= at_start + 16;
                         }))
      << at_start << " descriptors at start, " << open_descriptors(daemon()) << " now";
  EXPECT_EQ(read_file(mounted("file-7")), "");
}

TEST_F(Caching, ManyOpenAndClosedFilesLeaveNoDescriptors) {
  if (native()) GTEST_SKIP() << "native: no daemon to look at";
  write_file(source("a"), "a");
  ASSERT_EQ(read_file(mounted("a")), "a");
  const std::ptrdiff_t at_start = open_descriptors(daemon());
  for (int i = 0; i < 1'000; ++i) read_file(mounted("a"));
  EXPECT_TRUE(eventually(5s, [&] { return open_descriptors(daemon()) <= at_start + 16; }));
}

}  // namespace
}  // namespace fairfs::test
