// The border to the system: errors are negative, descriptors close themselves, /proc names lead back to the file.
#include "fs/sys.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace fairfs::fs {
namespace {

TEST(UniqueFd, HoldsWhyThereIsNone) {
  const UniqueFd missing = sys::open_at(AT_FDCWD, "/nowhere/at/all", O_RDONLY);
  EXPECT_FALSE(missing);
  EXPECT_EQ(missing.error(), -ENOENT);
}

TEST(UniqueFd, MovesAndCloses) {
  int number = -1;
  {
    UniqueFd first = sys::open_at(AT_FDCWD, "/dev/null", O_RDONLY);
    number = first.get();
    const UniqueFd second{std::move(first)};
    EXPECT_FALSE(first);  // NOLINT(bugprone-use-after-move): what is left must be empty
    EXPECT_EQ(second.get(), number);
  }
  EXPECT_EQ(::fcntl(number, F_GETFD), -1);
}

TEST(Sys, StatusAgreesWithStat) {
  const UniqueFd fd = sys::open_at(AT_FDCWD, "/dev/null", O_PATH);
  struct stat expected {};
  ASSERT_EQ(::stat("/dev/null", &expected), 0);
  sys::Status status;
  for (const auto freshness : {sys::Freshness::any, sys::Freshness::current}) {
    ASSERT_EQ(sys::status(fd.get(), freshness, status), 0);
    EXPECT_EQ(status.attributes.st_dev, expected.st_dev);
    EXPECT_EQ(status.attributes.st_ino, expected.st_ino);
    EXPECT_EQ(status.attributes.st_mode, expected.st_mode);
    EXPECT_EQ(status.attributes.st_rdev, expected.st_rdev);
    EXPECT_EQ(status.attributes.st_ctim.tv_sec, expected.st_ctim.tv_sec);
    EXPECT_EQ(status.attributes.st_ctim.tv_nsec, expected.st_ctim.tv_nsec);
  }
  EXPECT_EQ(sys::status(-1, sys::Freshness::any, status), -EBADF);
}

TEST(FdName, LeadsBackToTheFile) {
  const UniqueFd fd = sys::open_at(AT_FDCWD, "/dev/null", O_PATH);
  const sys::FdName name{fd.get()};
  EXPECT_EQ(name.path(), "/proc/self/fd/" + std::to_string(fd.get()));
  EXPECT_EQ(name.within(), std::to_string(fd.get()));
  struct stat through {
  }, direct{};
  ASSERT_EQ(::stat(name.path(), &through), 0);
  ASSERT_EQ(sys::stat(fd.get(), direct), 0);
  EXPECT_EQ(through.st_ino, direct.st_ino);
  EXPECT_STREQ(sys::FdName{2147483647}.within(), "2147483647");
}

}  // namespace
}  // namespace fairfs::fs
