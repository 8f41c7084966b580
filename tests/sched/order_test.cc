// The order of decisions, worked by hand: depth 1, every request 1 ms.
#include <gtest/gtest.h>

#include <string>

#include "tests/sched/flat_disk.h"

namespace fairfs::test {
namespace {

using sched::kRoot;
using sched::NodeId;

/// The next turns as letters, the flow `a` being 'a', the node after it 'b'...
std::string turns(FlatDisk& disk, NodeId a, int count) {
  std::string letters;
  while (count-- > 0) {
    const NodeId served = disk.serve();
    disk.submit(served);
    letters += static_cast<char>('a' + static_cast<std::uint32_t>(served) - static_cast<std::uint32_t>(a));
  }
  return letters;
}

TEST(Order, EqualWeightsGoRoundByNodeId) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId b = disk.scheduler.add_flow(kRoot, 100);
  const NodeId c = disk.scheduler.add_flow(kRoot, 100);
  for (const NodeId flow : {c, a, b}) disk.submit(flow, 2);  // arrival does not count, ids do
  EXPECT_EQ(turns(disk, a, 9), "abcabcabc");
}

// In ms of virtual time. V=0: F_a=1, F_b=1/2: b. V=1/3: b waits with S=1/2: a. V=2/3: b. V=1: both as at the start.
TEST(Order, WeightTwoGetsTwoTurnsOfThree) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 1);
  const NodeId b = disk.scheduler.add_flow(kRoot, 2);
  disk.submit(a, 2);
  disk.submit(b, 2);
  EXPECT_EQ(turns(disk, a, 12), "babbabbabbab");
}

// Without eligibility a weight of 5 against five of 1 would take its five turns at once.
TEST(Order, AHeavyFlowIsSpreadOutNotServedInABurst) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 5);
  disk.submit(a, 2);
  for (int light = 0; light < 5; ++light) disk.submit(disk.scheduler.add_flow(kRoot, 1), 2);
  EXPECT_EQ(turns(disk, a, 20), "abacadaeafabacadaeaf");
}

TEST(Order, ARequestCostsItsDeviceTimeNotItsCount) {
  sched::SchedulerConfig config = flat_disk(std::chrono::milliseconds{1}, 1);
  config.profile.read.bytes_per_s = 1'000'000;  // 1000 bytes: 1 ms more
  FlatDisk disk(config);
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId b = disk.scheduler.add_flow(kRoot, 100);
  for (int i = 0; i < 100; ++i) {
    disk.scheduler.submit({.flow = a, .bytes = 1000, .cookie = static_cast<std::uint64_t>(a)}, {});
    disk.submit(b);
  }
  int of_a = 0;
  for (int turn = 0; turn < 90; ++turn) of_a += disk.serve() == a ? 1 : 0;
  EXPECT_EQ(of_a, 30);  // 30 x 2 ms and 60 x 1 ms
}

TEST(Order, AFlowIsFirstInFirstOut) {
  FlatDisk disk;
  const NodeId flow = disk.scheduler.add_flow(kRoot, 100);
  for (std::uint64_t cookie = 0; cookie < 5; ++cookie) disk.scheduler.submit({.flow = flow, .cookie = cookie}, {});
  for (std::uint64_t cookie = 0; cookie < 5; ++cookie) {
    disk.serve();
    EXPECT_EQ(disk.last.cookie, cookie);
  }
}

}  // namespace
}  // namespace fairfs::test
