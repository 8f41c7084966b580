// How much of the probe's file is written in the time there is for it.
#include "probe/filling.h"

#include <gtest/gtest.h>

#include <cerrno>

#include "tests/diskemu/model_spec.h"
#include "tests/probe/simulated_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kMebi = 1024 * 1024;

SimulatedDisk disk_of(const std::string& spec, std::uint64_t span = 256 * kMebi) {
  return SimulatedDisk{make_device(spec, 1024 * kMebi), span};
}

// A stripe of four at 480 MB/s: one write at a time would lose a turn of the disk with each, and fill 26 MiB.
TEST(Filling, KeepsAStripeAtWork) {
  SimulatedDisk disk = disk_of("raid0:4");
  EXPECT_EQ(probe::fill(disk).bytes, 256 * kMebi);
  EXPECT_LT(disk.now(), probe::Time{700ms});
}

TEST(Filling, StopsWhenItsTimeIsOver) {
  SimulatedDisk disk = disk_of("hdd");
  const probe::Filling filling = probe::fill(disk);
  EXPECT_NEAR(static_cast<double>(filling.bytes), 120e6, 10e6);
  EXPECT_EQ(filling.bytes % kMebi, 0U);
  EXPECT_LT(disk.now(), probe::Time{1100ms});
}

TEST(Filling, ASlowDiskGetsTimeForTheLeast) {
  SimulatedDisk disk = disk_of("hdd:mb_s=8");
  EXPECT_GE(probe::fill(disk).bytes, 16 * kMebi);
  EXPECT_LT(disk.now(), probe::Time{4500ms});
  SimulatedDisk slower = disk_of("hdd:mb_s=1");
  EXPECT_LT(probe::fill(slower).bytes, 16 * kMebi);
  EXPECT_LT(slower.now(), probe::Time{9s});
}

TEST(Filling, EndsWithAFailedWrite) {
  SimulatedDisk disk = disk_of("ssd");
  disk.failing = probe::Operation::write;
  disk.error = ENOSPC;
  EXPECT_EQ(probe::fill(disk).error, ENOSPC);
}

}  // namespace
}  // namespace fairfs::test
