#include "tests/diskemu/model_spec.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/diskemu/drive_device.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

TEST(ModelSpec, OptionsReachTheModel) {
  const auto device = make_device("ssd:channels=1,read_us=800,write_us=300,mb_s=300", 1 * kMiB);
  DeviceDriver driver{*device};
  driver.submit({1, IoKind::read, 0, 4096});
  driver.submit({2, IoKind::write, 0, 4096});
  driver.run();
  EXPECT_EQ(driver.answered(1), 800us);
  EXPECT_EQ(driver.answered(2), 1100us);
}

TEST(ModelSpec, ARaidOfFourTransfersFourTimesAsFast) {
  const auto device = make_device("raid0:4,mb_s=100", 64 * kMiB);
  DeviceDriver driver{*device};
  driver.submit({1, IoKind::read, 0, 256 * kKiB});
  driver.submit({2, IoKind::read, 1 * kMiB, 256 * kKiB});  // goes on where the first member's head is
  driver.run();
  EXPECT_NEAR(static_cast<double>((driver.answered(2) - driver.answered(1)).count()), 256 * 1024 / 100e6 * 1e9, 10);
}

TEST(ModelSpec, ACacheAnswersWritesBeforeTheDiskDoes) {
  const auto device = make_device("ssd:write_us=5000,cache_mb=1", 64 * kMiB);
  DeviceDriver driver{*device};
  driver.submit({1, IoKind::write, 0, 4096});
  driver.run();
  EXPECT_LT(driver.answered(1), 100us);
  EXPECT_EQ(driver.work().size(), 1U);
}

TEST(ModelSpec, ACacheMayBeSlow) {
  const auto device = make_device("ssd:write_us=5000,cache_mb=1,cache_mb_s=100", 64 * kMiB);
  DeviceDriver driver{*device};
  driver.submit({1, IoKind::write, 0, 100'000});
  driver.run();
  EXPECT_GE(driver.answered(1), 1ms);
  EXPECT_LT(driver.answered(1), 1100us);
}

TEST(ModelSpec, RefusesWhatItDoesNotKnow) {
  for (const char* spec : {"", "tape", "ssd:channels=0", "ssd:chanels=8", "ssd:read_us=fast", "hdd:channels=8",
                           "raid0:0", "ssd:read_us=99999999999"}) {
    EXPECT_THROW(make_device(spec, 1 * kMiB), std::invalid_argument) << spec;
  }
}

}  // namespace
}  // namespace fairfs::test
