// Floors and ceilings in the simulator and call by call.
#include "sched/limits.h"

#include <gtest/gtest.h>

#include <chrono>

#include "sched/limited_node.h"
#include "tests/sched/flat_disk.h"
#include "tests/sched/race.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::LimitedNode;
using sched::Limits;
using sched::NodeId;
using sched::Operation;
using sched::Time;

constexpr std::uint64_t kMega = 1'000'000;

/// 16 slots of a disk that does 100 MB/s in all, whatever the size; 1 us more for each request.
ModelledDisk hundred_megabytes() {
  ModelledDisk disk;
  disk.device = {.channels = 1};
  disk.config.profile.depth = 16;
  disk.config.profile.read = disk.config.profile.write = {1us, 1us, 100 * kMega};
  return disk;
}
Workload hog(std::uint64_t bytes = 64 * 1024) {
  return {.outstanding = 32, .bytes_min = bytes, .bytes_max = bytes, .sequential = true};
}

class Limited : public testing::Test {
 protected:
  std::vector<double> race(const ModelledDisk& disk, const std::vector<Workload>& workloads,
                           const std::vector<Limits>& limits, const std::vector<sched::Weight>& weights = {}) {
    Race race(disk, workloads, weights);
    for (std::size_t i = 0; i < limits.size(); ++i) {
      race.simulation.scheduler().set_limits(race.flows[i], limits[i], race.simulation.now());
    }
    return race.run();
  }
};

TEST(LimitedNode, ACeilingSpacesRequestsByTheirSize) {
  LimitedNode node(1);
  node.set({.max_read = 10 * kMega}, 16);
  const Time now{10s};
  EXPECT_LE(node.allowed_at(Operation::read), now);
  node.served(Operation::read, 1 * kMega, now);
  node.served(Operation::read, 1 * kMega, now);
  // 50 ms of slack, then 100 ms for each.
  EXPECT_EQ(node.allowed_at(Operation::read), now - 50ms + 200ms);
  EXPECT_LE(node.allowed_at(Operation::write), now);
}

TEST(LimitedNode, AFloorIsDueWhenItIsBehind) {
  LimitedNode node(1);
  node.set({.min_iops = 100}, 16);
  const Time now{10s};
  node.queued(Operation::write, now);
  EXPECT_EQ(node.due_at(Operation::write), now);
  node.served(Operation::write, 1, now);
  EXPECT_EQ(node.due_at(Operation::write), now + 10ms);
  node.set({.min_read = 1}, 16);
  EXPECT_EQ(node.due_at(Operation::write), sched::kNever);
}

TEST_F(Limited, ACeilingHoldsAndTheOthersHaveTheRest) {
  const std::vector<double> each = race(hundred_megabytes(), {hog(), hog()}, {{.max_read = 10 * kMega}});
  EXPECT_NEAR(each[0], 10, 0.1);
  EXPECT_NEAR(each[1], 90, 1);
}

TEST_F(Limited, AlsoOnAnIdleDisk) {
  EXPECT_NEAR(race(hundred_megabytes(), {hog()}, {{.max_read = 10 * kMega}})[0], 10, 0.1);
  EXPECT_NEAR(race(hundred_megabytes(), {hog(4096)}, {{.max_iops = 500}})[0], 500 * 4096e-6, 0.03);
}

TEST_F(Limited, AFloorHoldsAgainstAnyWeight) {
  const std::vector<double> each = race(hundred_megabytes(), {hog(), hog()}, {{.min_read = 30 * kMega}}, {1, 10000});
  EXPECT_NEAR(each[0], 30, 0.3);
  EXPECT_NEAR(each[1], 70, 1);
}

TEST_F(Limited, AFloorBelowTheShareChangesNothing) {
  const std::vector<double> each = race(hundred_megabytes(), {hog(), hog()}, {{.min_read = 30 * kMega}});
  EXPECT_NEAR(each[0], 50, 0.5);
}

TEST_F(Limited, WhatAFloorDoesNotWantTheOthersHave) {
  Workload thinking = hog();
  thinking.outstanding = 1;
  thinking.think = 64ms;  // 1 MB/s
  const std::vector<double> each = race(hundred_megabytes(), {thinking, hog()}, {{.min_read = 50 * kMega}});
  EXPECT_NEAR(each[1], 99, 1);
}

TEST_F(Limited, WhoeverPromisesMoreThanTheDiskHasLeavesATenth) {
  const std::vector<double> each = race(hundred_megabytes(), {hog(), hog(), hog()},
                                        {{.min_read = 100 * kMega}, {.min_read = 100 * kMega}}, {100, 100, 100});
  EXPECT_NEAR(each[0], each[1], 1);
  EXPECT_NEAR(each[2], 10, 1.5);
}

TEST_F(Limited, AFloorHoldsBesideAHigherClass) {
  Workload idle = hog();
  idle.service = sched::ServiceClass::idle;
  EXPECT_NEAR(race(hundred_megabytes(), {idle, hog()}, {{.min_read = 20 * kMega}})[0], 20, 1);
}

TEST_F(Limited, BothHoldAmongTurns) {
  const std::vector<double> floors =
      race(hard_disk(), {reader(), reader(), reader()}, {{.min_read = 40 * kMega}}, {10, 100, 100});
  EXPECT_NEAR(floors[0], 40, 2);
  EXPECT_GE(sum(floors), 75);
  const std::vector<double> ceilings = race(hard_disk(), {reader(), reader()}, {{.max_read = 10 * kMega}}, {100, 100});
  EXPECT_NEAR(ceilings[0], 10, 0.5);
  EXPECT_GE(sum(ceilings), 60);
}

TEST_F(Limited, OfAGroupAreForAllInIt) {
  const ModelledDisk disk = hundred_megabytes();
  Simulation simulation(disk.config, disk.device, Seed{7});
  const NodeId group = simulation.add_group(kRoot, 100);
  const NodeId one = simulation.add_flow(group, 100, hog());
  const NodeId two = simulation.add_flow(group, 300, hog());
  const NodeId other = simulation.add_flow(kRoot, 100, hog());
  simulation.scheduler().set_limits(group, {.max_read = 20 * kMega}, simulation.now());
  simulation.run_for(10s);
  EXPECT_NEAR(static_cast<double>(simulation.bytes(one)) / kMega, 50, 2);
  EXPECT_NEAR(static_cast<double>(simulation.bytes(two)) / kMega, 150, 2);
  EXPECT_NEAR(static_cast<double>(simulation.bytes(other)) / kMega, 800, 10);
}

// A process whose writes have to wait goes on reading, and the other way round.
TEST_F(Limited, OneKindDoesNotHoldBackTheOther) {
  FlatDisk disk;
  const NodeId flow = disk.scheduler.add_flow(disk.scheduler.add_group(kRoot, 100), 100);
  disk.scheduler.set_limits(flow, {.max_write = 1}, disk.now);
  const auto submit = [&](Operation operation) {
    disk.scheduler.submit({.flow = flow, .operation = operation, .bytes = 4096, .cookie = 1}, disk.now);
  };
  submit(Operation::write);
  disk.serve();
  submit(Operation::write);
  submit(Operation::write);
  EXPECT_TRUE(std::holds_alternative<sched::Sleep>(disk.scheduler.next(disk.now)));
  submit(Operation::read);
  disk.serve();
  EXPECT_EQ(disk.scheduler.queued(), 2U);
  const sched::Sleep wait = std::get<sched::Sleep>(disk.scheduler.next(disk.now));
  EXPECT_EQ(wait.reason, sched::Sleep::Reason::limited);
  EXPECT_GT(wait.until, disk.now + 1000s);
  disk.scheduler.set_limits(flow, {}, disk.now);
  disk.serve();
  disk.serve();
}

TEST_F(Limited, ADeadlineDoesNotBreakACeiling) {
  Workload bounded = hog();
  bounded.bounded_wait = true;
  EXPECT_NEAR(race(hundred_megabytes(), {bounded, hog()}, {{.max_read = 1 * kMega}})[0], 1, 0.1);
}

TEST_F(Limited, ManyInALimitedGroupAreServedInTurn) {
  const ModelledDisk disk = hundred_megabytes();
  Simulation simulation(disk.config, disk.device, Seed{7});
  const NodeId group = simulation.add_group(kRoot, 100);
  std::vector<NodeId> flows;
  for (int i = 0; i < 50; ++i) flows.push_back(simulation.add_flow(group, 100, hog()));
  simulation.scheduler().set_limits(group, {.max_read = 50 * kMega}, simulation.now());
  simulation.run_for(10s);
  for (const NodeId flow : flows) EXPECT_NEAR(static_cast<double>(simulation.bytes(flow)) / kMega, 10, 0.5);
}

}  // namespace
}  // namespace fairfs::test
