#include "tests/diskemu/control.h"

#include <gtest/gtest.h>

#include "tests/diskemu/drive_device.h"
#include "tests/diskemu/flash.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

class ControlTest : public testing::Test {
 protected:
  Flash flash_{FlashConfig{}};
  Accounts accounts_;
  Control control_{flash_, accounts_};
};

TEST_F(ControlTest, RefusesWhatItDoesNotKnow) {
  for (const char* line : {"", "fast", "slow", "slow x", "slow -1", "slow 1 2", "fail 10 10", "fail 5", "range 0 10",
                           "hang", "hang -1", "reset now", "ok ok"}) {
    EXPECT_FALSE(control_.execute(line, at(0ms))) << line;
  }
  EXPECT_EQ(control_.text(), "slow 1\n");
}

TEST_F(ControlTest, FailsWhatTouchesTheRangeUntilOk) {
  ASSERT_TRUE(control_.execute("fail 4096 8192", at(0ms)));
  EXPECT_FALSE(control_.fails({1, IoKind::read, 0, 4096}));
  EXPECT_TRUE(control_.fails({1, IoKind::read, 0, 8192}));
  EXPECT_FALSE(control_.fails({1, IoKind::read, 8192, 4096}));
  ASSERT_TRUE(control_.execute("ok", at(1ms)));
  EXPECT_FALSE(control_.fails({1, IoKind::read, 4096, 4096}));
}

TEST_F(ControlTest, TheDisksTimeStandsStillWhileItHangs) {
  ASSERT_TRUE(control_.execute("hang 2", at(10s)));
  EXPECT_EQ(control_.disk_time(at(11s)), at(10s));
  EXPECT_EQ(control_.disk_time(at(12s)), at(10s));
  EXPECT_EQ(control_.disk_time(at(15s)), at(13s));
  EXPECT_EQ(control_.world_time(at(10s + 1ms)), at(12s + 1ms));
  EXPECT_EQ(control_.world_time(kNever), kNever);
}

TEST_F(ControlTest, OkEndsAHang) {
  ASSERT_TRUE(control_.execute("hang 30", at(10s)));
  ASSERT_TRUE(control_.execute("ok", at(15s)));
  EXPECT_EQ(control_.disk_time(at(15s)), at(10s));
  EXPECT_EQ(control_.disk_time(at(16s)), at(11s));
  EXPECT_EQ(control_.world_time(at(11s)), at(16s));
}

TEST_F(ControlTest, RegistersRanges) {
  ASSERT_TRUE(control_.execute("range file 0 4096", at(0ms)));
  accounts_.count({1, IoKind::read, 0, 4096});
  EXPECT_EQ(accounts_.of("file").reads, 1U);
  ASSERT_TRUE(control_.execute("reset", at(0ms)));
  EXPECT_EQ(accounts_.of("file").reads, 0U);
}

}  // namespace
}  // namespace fairfs::test
