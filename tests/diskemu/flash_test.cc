#include "tests/diskemu/flash.h"

#include <gtest/gtest.h>

#include "tests/diskemu/drive_device.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

// 8 channels of 800 us; 4096 bytes take 4096 / 300e6 s = 13.65 us on the bus.
FlashConfig eight_channels() {
  return {.channels = 8, .read_latency = 800us, .write_latency = 500us, .bytes_per_s = 300'000'000};
}

TEST(Flash, AnswersOneReadAfterItsLatency) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  driver.submit({1, IoKind::read, 0, 4096}, 100us);
  driver.run();
  EXPECT_EQ(driver.answered(1), 900us);
}

TEST(Flash, AnswersAWriteAfterItsOwnLatency) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  driver.submit({1, IoKind::write, 0, 4096});
  driver.run();
  EXPECT_EQ(driver.answered(1), 500us);
}

TEST(Flash, NinthReadWaitsForAChannel) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  for (std::uint64_t id = 1; id <= 9; ++id) driver.submit({id, IoKind::read, id * 4096, 4096});
  driver.run();
  EXPECT_EQ(driver.answered(8), 800us);
  EXPECT_EQ(driver.answered(9), 1600us);
}

TEST(Flash, EightChannelsAnswerTenThousandReadsASecondAndAreBusyForOne) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  for (std::uint64_t id = 0; id < 10'000; ++id) driver.submit({id, IoKind::read, id * 4096, 4096});
  driver.run();
  EXPECT_EQ(driver.answered(9'999), 1s);  // 10,000 * 800 us / 8
  EXPECT_EQ(driver.busy(), 1s);
}

TEST(Flash, LargeRequestsShareTheBus) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  // 3,000,000 bytes take 10 ms of the bus each, one after another.
  for (std::uint64_t id = 1; id <= 4; ++id) driver.submit({id, IoKind::read, id * 3'000'000, 3'000'000});
  driver.run();
  EXPECT_EQ(driver.answered(1), 10ms);
  EXPECT_EQ(driver.answered(4), 40ms);
  EXPECT_EQ(driver.busy(), 40ms);
}

TEST(Flash, ALateCallDoesNotSlowTheDisk) {
  Flash flash{eight_channels()};
  Outcome outcome;
  for (std::uint64_t id = 0; id < 24; ++id) flash.submit({id, IoKind::read, id * 4096, 4096}, at(0us));
  flash.advance(at(2400us), outcome);  // three rounds of eight, seen at once
  EXPECT_EQ(outcome.done.size(), 24U);
}

TEST(Flash, TakesNoTimeAtSlownessZeroAndThreeTimesAsLongAtThree) {
  Flash flash{eight_channels()};
  DeviceDriver driver{flash};
  flash.set_slowness(0);
  driver.submit({1, IoKind::read, 0, 4096}, 1ms);
  driver.run_until(at(1ms));
  EXPECT_EQ(driver.answered(1), 1ms);
  flash.set_slowness(3);
  driver.submit({2, IoKind::read, 0, 4096}, 2ms);
  driver.run();
  EXPECT_EQ(driver.answered(2), 2ms + 2400us);
}

TEST(Flash, IsSaturatedOnlyWithWorkBeyondTheNextEvent) {
  Flash flash{eight_channels()};
  for (std::uint64_t id = 0; id < 8; ++id) flash.submit({id, IoKind::read, id * 4096, 4096}, at(0us));
  EXPECT_FALSE(flash.saturated());
  flash.submit({8, IoKind::read, 0, 4096}, at(0us));
  EXPECT_TRUE(flash.saturated());
}

}  // namespace
}  // namespace fairfs::test
