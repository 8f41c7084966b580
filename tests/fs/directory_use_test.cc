// Which directories are shared: by whom and for how long.
#include "fs/directory_use.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using fs::DirectoryUse;

constexpr std::uint64_t kDirectory = 7;
constexpr std::uint32_t kFinder = 1, kWriter = 2, kThird = 3;

TEST(DirectoryUse, OthersLeaveASecondLater) {
  DirectoryUse use;
  EXPECT_FALSE(use.shared(kDirectory, kFinder, 10s));
  use.note(kDirectory, kWriter, 10s);
  EXPECT_TRUE(use.shared(kDirectory, kFinder, 10s));
  EXPECT_TRUE(use.shared(kDirectory, kFinder, 10'999ms));
  EXPECT_FALSE(use.shared(kDirectory, kFinder, 11s));
  EXPECT_FALSE(use.shared(kDirectory + 1, kFinder, 10s));
}

TEST(DirectoryUse, OneIsNoOtherToHimself) {
  DirectoryUse use;
  use.note(kDirectory, kFinder, 10s);
  use.note(kDirectory, kFinder, 10'100ms);
  EXPECT_FALSE(use.shared(kDirectory, kFinder, 10'100ms));
  EXPECT_TRUE(use.shared(kDirectory, kWriter, 10'100ms));
}

TEST(DirectoryUse, WhoCameBeforeOneselfIsNotForgotten) {
  DirectoryUse use;
  use.note(kDirectory, kWriter, 10s);
  use.note(kDirectory, kFinder, 10'500ms);
  use.note(kDirectory, kFinder, 10'600ms);
  EXPECT_TRUE(use.shared(kDirectory, kFinder, 10'900ms));
  EXPECT_FALSE(use.shared(kDirectory, kFinder, 11s));
  EXPECT_TRUE(use.shared(kDirectory, kThird, 11s));
}

// 2,000 directories in 1,024 places: what was pushed out counts as nobody's, and the newcomer has no other there yet.
TEST(DirectoryUse, AnotherDirectoryInItsPlaceStartsAnew) {
  DirectoryUse use;
  for (std::uint64_t directory = 1; directory <= 2000; ++directory) use.note(directory, kWriter, 10s);
  for (std::uint64_t directory = 1; directory <= 2000; ++directory) {
    use.note(directory, kFinder, 10s);
  }
  unsigned kept = 0;
  for (std::uint64_t directory = 1; directory <= 2000; ++directory) {
    kept += use.shared(directory, kWriter, 10s) ? 1U : 0U;
  }
  EXPECT_GT(kept, 500U);
  EXPECT_LE(kept, 1024U);
}

}  // namespace
}  // namespace fairfs::test
