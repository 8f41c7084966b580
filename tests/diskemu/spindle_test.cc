#include "tests/diskemu/spindle.h"

#include <gtest/gtest.h>

#include "tests/diskemu/drive_device.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

// One turn of 10 ms at 100 MB/s makes a track of 1,000,000 bytes: a byte is under the head at (offset / 1e6) * 10 ms of
// each turn.
SpindleConfig round_numbers() {
  SpindleConfig config;
  config.capacity = 100'000'000;
  config.seek_min = 1ms;
  config.seek_max = 9ms;
  config.rotation = 10ms;
  config.bytes_per_s = 100'000'000;
  return config;
}

TEST(Spindle, SequentialReadsCostTheirTransferOnly) {
  Spindle disk{round_numbers()};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::read, 0, 100'000});
  driver.submit({2, IoKind::read, 100'000, 100'000}, 3ms);  // after a pause: the disk has read ahead
  driver.run();
  EXPECT_EQ(driver.answered(1), 1ms);
  EXPECT_EQ(driver.answered(2), 4ms);
  EXPECT_EQ(driver.busy(), 2ms);
}

TEST(Spindle, AWriteThatFollowsLateWaitsForTheTurn) {
  Spindle disk{round_numbers()};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::write, 0, 100'000});
  driver.submit({2, IoKind::write, 100'000, 100'000}, 3ms);
  driver.run();
  // Byte 100,000 is under the head at 1 ms and again at 11 ms; then 1 ms of transfer.
  EXPECT_NEAR(static_cast<double>(driver.answered(2).count()), 12e6, 10);
}

TEST(Spindle, AQueuedWriteThatFollowsGoesOn) {
  Spindle disk{round_numbers()};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::write, 0, 100'000});
  driver.submit({2, IoKind::write, 100'000, 100'000});
  driver.run();
  EXPECT_EQ(driver.answered(2), 2ms);
}

TEST(Spindle, SeekGrowsWithTheSquareRootOfTheDistance) {
  Spindle disk{round_numbers()};
  // A quarter of the disk: 1 + 8 * sqrt(1/4) = 5 ms; byte 25,000,000 starts a turn, so 5 ms until the turn is full.
  EXPECT_NEAR(static_cast<double>(disk.service_time({1, IoKind::read, 25'000'000, 100'000}, at(0ms), at(0ms)).count()),
              11e6, 10);
  // The whole disk: 9 ms of seek, 1 ms of turning, 1 ms of transfer.
  EXPECT_NEAR(static_cast<double>(disk.service_time({1, IoKind::read, 100'000'000, 100'000}, at(0ms), at(0ms)).count()),
              11e6, 10);
}

TEST(Spindle, TheNearestOfTheQueueIsNext) {
  Spindle disk{round_numbers()};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::read, 0, 1'000});
  driver.submit({2, IoKind::read, 90'000'000, 1'000});
  driver.submit({3, IoKind::read, 1'000'000, 1'000});
  driver.run();
  EXPECT_LT(driver.answered(3), driver.answered(2));
}

TEST(Spindle, OneThatWaitedLongGoesBeforeANearerOne) {
  Spindle disk{round_numbers()};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::read, 0, 5'000'000});  // 50 ms
  driver.submit({2, IoKind::read, 90'000'000, 1'000}, 1ms);
  driver.submit({3, IoKind::read, 5'000'000, 2'000'000}, 1ms);  // 20 ms more, to 70 ms
  driver.submit({4, IoKind::read, 7'000'000, 1'000}, 1ms);
  driver.run();
  EXPECT_EQ(driver.answered(3), 70ms);
  EXPECT_LT(driver.answered(2), driver.answered(4));
}

TEST(Spindle, WhatIsBeyondTheQueueDepthIsNotSeen) {
  SpindleConfig config = round_numbers();
  config.queue_depth = 1;
  Spindle disk{config};
  DeviceDriver driver{disk};
  driver.submit({1, IoKind::read, 0, 1'000});
  driver.submit({2, IoKind::read, 90'000'000, 1'000});
  driver.submit({3, IoKind::read, 1'000, 1'000});
  driver.run();
  EXPECT_LT(driver.answered(2), driver.answered(3));
}

}  // namespace
}  // namespace fairfs::test
