#include "tests/diskemu/write_cache.h"

#include <gtest/gtest.h>

#include "tests/diskemu/drive_device.h"
#include "tests/diskemu/flash.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

// A disk of one channel and 10 ms a write behind a cache that takes 1 ms for 1 MB and nothing else.
std::unique_ptr<WriteCache> small_cache(bool battery = false) {
  auto disk = std::make_unique<Flash>(
      FlashConfig{.channels = 1, .read_latency = 10ms, .write_latency = 10ms, .bytes_per_s = 1'000'000'000'000});
  return std::make_unique<WriteCache>(std::move(disk), WriteCacheConfig{.capacity = 300'000,
                                                                        .battery = battery,
                                                                        .latency = 0ms,
                                                                        .bytes_per_s = 1'000'000'000,
                                                                        .destages = 1,
                                                                        .destage_bytes = 1'000'000});
}

TEST(WriteCache, WritesAreAnsweredAtItsOwnSpeedWhileTheyFit) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  for (std::uint64_t id = 1; id <= 3; ++id) driver.submit({id, IoKind::write, id * 1'000'000, 100'000});
  driver.run();
  EXPECT_EQ(driver.answered(1), 100us);
  EXPECT_EQ(driver.answered(3), 300us);
}

TEST(WriteCache, AWriteWaitsForRoom) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  for (std::uint64_t id = 1; id <= 4; ++id) driver.submit({id, IoKind::write, id * 1'000'000, 100'000});
  driver.run();
  EXPECT_EQ(driver.answered(4), 10ms + 100us);  // when the first is on the disk
}

TEST(WriteCache, AFlushWaitsForWhatWasWrittenBefore) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  driver.submit({1, IoKind::write, 0, 50'000});
  driver.submit({2, IoKind::write, 1'000'000, 50'000});
  driver.submit({3, IoKind::flush, 0, 0});
  driver.submit({4, IoKind::write, 2'000'000, 50'000});
  driver.run();
  EXPECT_EQ(driver.answered(3), 20ms);  // two writes of 10 ms, not the third
  EXPECT_LT(driver.answered(4), 1ms);
}

TEST(WriteCache, AFlushWithABatteryDoesNotWait) {
  const auto cache = small_cache(true);
  DeviceDriver driver{*cache};
  driver.submit({1, IoKind::write, 0, 50'000});
  driver.submit({2, IoKind::flush, 0, 0});
  driver.run();
  EXPECT_EQ(driver.answered(2), 50us);
}

TEST(WriteCache, NeighboursGoToTheDiskAsOneWrite) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  driver.submit({1, IoKind::write, 9'000'000, 4'000});  // occupies the disk
  for (std::uint64_t id = 2; id <= 11; ++id) driver.submit({id, IoKind::write, id * 4'000, 4'000}, 1ms);
  driver.run();
  ASSERT_EQ(driver.work().size(), 2U);
  EXPECT_EQ(driver.work()[1].offset, 8'000U);
  EXPECT_EQ(driver.work()[1].bytes, 40'000U);
}

TEST(WriteCache, RewritingADirtyBlockCostsTheDiskNothing) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  driver.submit({1, IoKind::write, 9'000'000, 4'000});
  driver.submit({2, IoKind::write, 0, 8'000}, 1ms);
  driver.submit({3, IoKind::flush, 0, 0}, 2ms);
  driver.submit({4, IoKind::write, 4'000, 8'000}, 3ms);  // 4,000 of it are dirty, older than the flush
  driver.run();
  ASSERT_EQ(driver.work().size(), 3U);
  EXPECT_EQ(driver.work()[1].bytes, 8'000U);
  EXPECT_EQ(driver.work()[2].offset, 8'000U);
  EXPECT_EQ(driver.work()[2].bytes, 4'000U);
}

TEST(WriteCache, ReadsComeFromTheCacheOnlyWhenAllOfThemIsDirty) {
  const auto cache = small_cache();
  DeviceDriver driver{*cache};
  driver.submit({1, IoKind::write, 9'000'000, 4'000});
  driver.submit({2, IoKind::write, 0, 8'000}, 1ms);
  driver.submit({3, IoKind::read, 4'000, 4'000}, 2ms);
  driver.submit({4, IoKind::read, 4'000, 8'000}, 2ms);
  driver.run();
  EXPECT_EQ(driver.answered(3), 2ms + 4us);
  EXPECT_GE(driver.answered(4), 20ms);
}

}  // namespace
}  // namespace fairfs::test
