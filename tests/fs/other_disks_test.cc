#include "fs/other_disks.h"

#include <gtest/gtest.h>

#include <map>
#include <new>

namespace fairfs::fs {
namespace {

constexpr dev_t kSource = 1, kShared = 2, kOther = 3;

TEST(OtherDisks, EachFileSystemIsAskedAboutOnceAndTheSourceNever) {
  std::map<dev_t, int> asked;
  OtherDisks disks{kSource, [&](dev_t source, dev_t other) {
                     EXPECT_EQ(source, kSource);
                     ++asked[other];
                     return other == kOther;
                   }};
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(disks.have(kSource));
    EXPECT_FALSE(disks.have(kShared));
    EXPECT_TRUE(disks.have(kOther));
  }
  EXPECT_EQ(asked, (std::map<dev_t, int>{{kShared, 1}, {kOther, 1}}));
}

TEST(OtherDisks, WithoutAnAnswerAllIsOneDisk) {
  EXPECT_FALSE((OtherDisks{kSource, {}}.have(kOther)));
  EXPECT_FALSE((OtherDisks{kSource, [](dev_t, dev_t) -> bool { throw std::bad_alloc{}; }}.have(kOther)));
}

}  // namespace
}  // namespace fairfs::fs
