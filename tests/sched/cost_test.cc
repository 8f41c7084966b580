#include "sched/cost.h"

#include <gtest/gtest.h>

#include "sched/virtual_time.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::CostModel;
using sched::Operation;
using sched::StreamPositions;

sched::DiskProfile profile() {
  sched::DiskProfile profile;
  profile.read = {20us, 100us, 500'000'000};
  profile.write = {10us, 60us, 400'000'000};
  profile.sync = 2ms;
  return profile;
}

TEST(Cost, IsBasePlusBytesOverBandwidth) {
  const CostModel model(profile());
  EXPECT_EQ(model.cost(Operation::read, 1'000'000, true), 20'000U + 2'000'000U);
  EXPECT_EQ(model.cost(Operation::read, 1'000'000, false), 100'000U + 2'000'000U);
  EXPECT_EQ(model.cost(Operation::write, 4'000, true), 10'000U + 10'000U);
  EXPECT_EQ(model.cost(Operation::write, 4'000, false), 60'000U + 10'000U);
  EXPECT_EQ(model.cost(Operation::sync, 1'000'000, false), 2'000'000U);
}

TEST(Cost, HasAFloorThatTransferOverlapsWith) {
  sched::DiskProfile flash = profile();
  flash.read = {0ns, 0ns, 300'000'000, 100us};
  const CostModel model(flash);
  EXPECT_EQ(model.cost(Operation::read, 3'000, false), 100'000U);
  EXPECT_EQ(model.cost(Operation::read, 3'000, true), 100'000U);
  EXPECT_EQ(model.cost(Operation::read, 300'000, false), 1'000'000U);
}

TEST(Cost, IsNeverNothingAndNeverTooMuch) {
  sched::DiskProfile free = profile();
  free.read = {0ns, 0ns, 1'000'000'000'000};
  EXPECT_EQ(CostModel(free).cost(Operation::read, 0, true), 1U);
  sched::DiskProfile slow = profile();
  slow.read.bytes_per_s = 1;
  EXPECT_EQ(CostModel(slow).cost(Operation::read, ~std::uint64_t{0}, true), sched::kCostMax);
}

TEST(StreamPositions, ContinueFromTheEndToOneReadaheadWindowOn) {
  StreamPositions positions;
  EXPECT_FALSE(positions.continues(7, 0));  // the first request is random
  positions.note(7, 4096);
  EXPECT_TRUE(positions.continues(7, 4096));
  EXPECT_TRUE(positions.continues(7, 4096 + 128 * 1024));
  EXPECT_FALSE(positions.continues(7, 4096 + 128 * 1024 + 1));
  EXPECT_FALSE(positions.continues(7, 4095));
  // Readahead in requests of 1 MiB: the second has overtaken the first.
  EXPECT_TRUE(positions.continues(7, 4096 + (1 << 20), 1 << 20));
  EXPECT_FALSE(positions.continues(7, 4096 + (1 << 20) + 1, 1 << 20));
  EXPECT_FALSE(positions.continues(8, 4096));  // another file
}

TEST(StreamPositions, FourFilesAtATimeTheOldestForgotten) {
  StreamPositions positions;
  for (const std::uint64_t inode : {1, 2, 3, 4}) positions.note(inode, 100);
  positions.note(1, 200);  // known: takes no other's place
  EXPECT_TRUE(positions.continues(1, 200));
  EXPECT_TRUE(positions.continues(2, 100));
  positions.note(5, 100);
  EXPECT_FALSE(positions.continues(1, 200));
  EXPECT_TRUE(positions.continues(2, 100));
  EXPECT_TRUE(positions.continues(5, 100));
}

}  // namespace
}  // namespace fairfs::test
