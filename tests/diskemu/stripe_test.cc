#include "tests/diskemu/stripe.h"

#include <gtest/gtest.h>

#include "tests/diskemu/drive_device.h"
#include "tests/diskemu/flash.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

// Members that take 1 ms a request, one at a time, whatever it is.
std::unique_ptr<Stripe> two_members() {
  std::vector<std::unique_ptr<Device>> members;
  for (int member = 0; member < 2; ++member) {
    members.push_back(std::make_unique<Flash>(
        FlashConfig{.channels = 1, .read_latency = 1ms, .write_latency = 1ms, .bytes_per_s = 1'000'000'000'000}));
  }
  return std::make_unique<Stripe>(std::move(members), 256 * kKiB);
}

TEST(Stripe, ChunksOfDifferentMembersRunSideBySide) {
  const auto stripe = two_members();
  DeviceDriver driver{*stripe};
  driver.submit({1, IoKind::read, 0, 4 * kKiB});
  driver.submit({2, IoKind::read, 256 * kKiB, 4 * kKiB});
  driver.submit({3, IoKind::read, 512 * kKiB, 4 * kKiB});  // the first member's again
  driver.run();
  EXPECT_EQ(driver.answered(1), 1ms);
  EXPECT_EQ(driver.answered(2), 1ms);
  EXPECT_EQ(driver.answered(3), 2ms);
}

TEST(Stripe, ARequestIsDoneWithItsLastPart) {
  const auto stripe = two_members();
  DeviceDriver driver{*stripe};
  driver.submit({1, IoKind::write, 128 * kKiB, 512 * kKiB});  // parts of 128, 256 and 128 KiB on members 0, 1, 0
  driver.run();
  EXPECT_EQ(driver.answered(1), 2ms);
}

TEST(Stripe, WorkIsToldInTheHostsAddressesAndSharesOfTheWhole) {
  const auto stripe = two_members();
  DeviceDriver driver{*stripe};
  driver.submit({1, IoKind::read, 5 * 256 * kKiB + 4096, 8192});
  driver.run();
  ASSERT_EQ(driver.work().size(), 1U);
  EXPECT_EQ(driver.work()[0].offset, 5 * 256 * kKiB + 4096);
  EXPECT_EQ(driver.work()[0].bytes, 8192U);
  EXPECT_EQ(driver.busy(), 500us);  // half of the disk for 1 ms
}

TEST(Stripe, AFlushIsAnswered) {
  const auto stripe = two_members();
  DeviceDriver driver{*stripe};
  driver.submit({1, IoKind::flush, 0, 0});
  driver.run();
  EXPECT_EQ(driver.answered(1), 0ms);
}

}  // namespace
}  // namespace fairfs::test
