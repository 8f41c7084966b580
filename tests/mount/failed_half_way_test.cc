// Calls that fail after they have changed something: what is left is seen at once, as natively. The kernel keeps the
// attributes it has when a request answers with an error.

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "tests/mount/small_disk.h"

namespace fairfs::test {
namespace {

class FailedHalfWay : public SmallDiskTest {
 protected:
  /// Through the mount and on the source, in that order.
  void expect_same(const std::string& name) const {
    const struct stat seen = status_of(mounted(name)), real = status_of(source(name));
    EXPECT_EQ(seen.st_size, real.st_size) << name;
    EXPECT_EQ(seen.st_blocks, real.st_blocks) << name;
    EXPECT_EQ(seen.st_mtim.tv_sec, real.st_mtim.tv_sec) << name;
    EXPECT_EQ(seen.st_mtim.tv_nsec, real.st_mtim.tv_nsec) << name;
    EXPECT_EQ(seen.st_ctim.tv_sec, real.st_ctim.tv_sec) << name;
    EXPECT_EQ(seen.st_ctim.tv_nsec, real.st_ctim.tv_nsec) << name;
  }
};

constexpr off_t kMegabyte = 1 << 20;
constexpr timespec kLongAgo[] = {{1'000'000'000, 0}, {1'000'000'000, 0}};

// ext4 has put the whiteout into "from" when it sees that "to" isn't empty, and stamps "from" when taking it back.
TEST_F(FailedHalfWay, RenameThatWouldHaveLeftAWhiteout) {
  std::filesystem::create_directories(mounted("from/moved"));
  std::filesystem::create_directories(mounted("to/full"));
  for (const char* name : {"from", "to"}) {
    ASSERT_EQ(::utimensat(AT_FDCWD, mounted(name).c_str(), kLongAgo, 0), 0);
    ASSERT_EQ(status_of(mounted(name)).st_mtim.tv_sec, kLongAgo[1].tv_sec);
  }
  ASSERT_EQ(
      ::renameat2(AT_FDCWD, mounted("from/moved").c_str(), AT_FDCWD, mounted("to").c_str(), RENAME_WHITEOUT), -1);
  ASSERT_EQ(errno, ENOTEMPTY);
  expect_same("from");
  expect_same("to");
}

// Space for as much as there was stays reserved, and the file that long.
TEST_F(FailedHalfWay, AllocationThatFillsTheDisk) {
  const UniqueFd file = open_file(mounted("a"), O_RDWR | O_CREAT);
  ASSERT_EQ(status_of(mounted("a")).st_size, 0);
  ASSERT_EQ(::fallocate(file.get(), 0, 0, 1024 * kMegabyte), -1);
  ASSERT_EQ(errno, ENOSPC);
  EXPECT_GT(status_of(source("a")).st_size, kMegabyte);
  expect_same("a");
}

}  // namespace
}  // namespace fairfs::test
