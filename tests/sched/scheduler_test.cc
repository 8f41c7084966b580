// The rest of scheduler.h's contract: slots, cancel, debts, policy off, misuse.
#include "sched/scheduler.h"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/sched/flat_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Dispatch;
using sched::kRoot;
using sched::NodeId;
using sched::RequestId;
using sched::Sleep;

TEST(Slots, NoMoreThanDepthAreInFlightUntilOneCompletes) {
  FlatDisk disk(flat_disk(1ms, 2));
  const NodeId flow = disk.scheduler.add_flow(kRoot, 100);
  EXPECT_EQ(std::get<Sleep>(disk.scheduler.next({})).reason, Sleep::Reason::empty);
  disk.submit(flow, 3);
  const auto first = std::get<Dispatch>(disk.scheduler.next({}));
  EXPECT_TRUE(std::holds_alternative<Dispatch>(disk.scheduler.next({})));
  EXPECT_EQ(std::get<Sleep>(disk.scheduler.next({})).reason, Sleep::Reason::depth);
  EXPECT_EQ(disk.scheduler.in_flight(), 2U);
  EXPECT_EQ(disk.scheduler.queued(), 1U);
  disk.scheduler.complete(first.id, {});
  EXPECT_TRUE(std::holds_alternative<Dispatch>(disk.scheduler.next({})));
}

TEST(Slots, ANewDepthCountsAtOnce) {
  FlatDisk disk(flat_disk(1ms, 1));
  const NodeId flow = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(flow, 4);
  std::vector<RequestId> running{std::get<Dispatch>(disk.scheduler.next({})).id};
  disk.scheduler.set_depth(2);
  running.push_back(std::get<Dispatch>(disk.scheduler.next({})).id);
  disk.scheduler.set_depth(1);
  disk.scheduler.complete(running[0], {});
  EXPECT_TRUE(std::holds_alternative<Sleep>(disk.scheduler.next({})));  // one is still running
  disk.scheduler.complete(running[1], {});
  EXPECT_TRUE(std::holds_alternative<Dispatch>(disk.scheduler.next({})));
}

TEST(Cancel, AQueuedRequestIsNeverDispatched) {
  FlatDisk disk;
  const NodeId flow = disk.scheduler.add_flow(kRoot, 100);
  const RequestId first = disk.submit(flow);
  const RequestId second = disk.submit(flow);
  EXPECT_TRUE(disk.scheduler.cancel(first, {}));
  EXPECT_EQ(std::get<Dispatch>(disk.scheduler.next({})).id, second);
  EXPECT_FALSE(disk.scheduler.cancel(second, {}));  // in flight
  disk.scheduler.complete(second, {});
  EXPECT_EQ(disk.scheduler.service(flow).device_time, 1ms);
  EXPECT_EQ(std::get<Sleep>(disk.scheduler.next({})).reason, Sleep::Reason::empty);
}

TEST(Cancel, TheOthersGoOnInTheirShares) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId gone = disk.scheduler.add_flow(disk.scheduler.add_group(kRoot, 800), 100);
  const NodeId c = disk.scheduler.add_flow(kRoot, 100);
  const RequestId only = disk.submit(gone);
  disk.submit(a, 2);
  disk.submit(c, 2);
  EXPECT_TRUE(disk.scheduler.cancel(only, {}));
  EXPECT_NEAR(disk.turns_of(a, 100), 50, 1);
}

TEST(Remove, AnEmptyNodeGoesAndItsIdComesBackFresh) {
  FlatDisk disk;
  const NodeId group = disk.scheduler.add_group(kRoot, 100);
  const NodeId flow = disk.scheduler.add_flow(group, 100);
  disk.submit(flow, 1);
  disk.serve();
  disk.scheduler.remove(flow);
  disk.scheduler.remove(group);
  const NodeId again = disk.scheduler.add_flow(kRoot, 100);
  EXPECT_EQ(again, group);
  EXPECT_EQ(disk.scheduler.service(again).device_time, 0ms);
}

// Equal weights, 1 ms requests, 10 ms owed: a pays one more ms with each turn. While it pays, b gets two turns for each
// of a's: after 30 turns a has had 10 (and paid 10), b 20, and from there on they alternate.
TEST(Debt, IsPaidFromLaterTurnsAtNoMoreThanHalfTheShare) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId b = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(a, 2);
  disk.submit(b, 2);
  disk.scheduler.charge(a, 10ms, {});
  EXPECT_NEAR(disk.turns_of(a, 30), 10, 1);
  EXPECT_NEAR(disk.turns_of(a, 100), 50, 1);
  const auto of_a = disk.scheduler.service(a).device_time;
  EXPECT_NEAR(static_cast<double>(of_a / 1ms), static_cast<double>(disk.scheduler.service(b).device_time / 1ms), 2);
}

TEST(Debt, WaitsForAFlowThatIsAway) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId b = disk.scheduler.add_flow(kRoot, 100);
  disk.scheduler.charge(a, 10ms, {});
  disk.submit(b, 2);
  EXPECT_EQ(disk.turns_of(b, 1000), 1000);
  disk.submit(a, 2);
  EXPECT_NEAR(disk.turns_of(a, 30), 10, 1);
}

TEST(PolicyOff, IsFirstComeFirstServedWithoutSlotsButCounts) {
  sched::SchedulerConfig config = flat_disk(1ms, 1);
  config.policy = sched::Policy::off;
  FlatDisk disk(config);
  const NodeId a = disk.scheduler.add_flow(kRoot, 1);
  const NodeId b = disk.scheduler.add_flow(kRoot, 10000);
  const std::vector<NodeId> arrivals{a, a, b, a, b};
  for (const NodeId flow : arrivals) disk.submit(flow);
  for (const NodeId flow : arrivals) {
    const auto dispatch = std::get<Dispatch>(disk.scheduler.next({}));
    EXPECT_EQ(dispatch.cookie, static_cast<std::uint64_t>(flow));
    EXPECT_FALSE(dispatch.promoted);
  }
  EXPECT_EQ(disk.scheduler.in_flight(), 5U);
  EXPECT_EQ(disk.scheduler.service(a).device_time, 3ms);
  EXPECT_EQ(disk.scheduler.service(b).device_time, 2ms);
}

TEST(MisuseDeathTest, Asserts) {
  FlatDisk disk;
  const NodeId group = disk.scheduler.add_group(kRoot, 100);
  const NodeId flow = disk.scheduler.add_flow(group, 100);
  const RequestId request = disk.submit(flow);
  EXPECT_DEATH(disk.scheduler.complete(request, {}), "check failed");      // was not dispatched
  EXPECT_DEATH(disk.scheduler.cancel(RequestId{99}, {}), "check failed");  // unknown
  EXPECT_DEATH(disk.scheduler.remove(flow), "check failed");               // has something queued
  EXPECT_DEATH(disk.scheduler.remove(group), "check failed");              // has a child
  EXPECT_DEATH(disk.scheduler.remove(kRoot), "check failed");
  EXPECT_DEATH(disk.scheduler.add_flow(flow, 100), "check failed");        // a flow is no parent
  EXPECT_DEATH(disk.scheduler.add_flow(NodeId{77}, 100), "check failed");  // unknown
  EXPECT_DEATH(disk.scheduler.add_flow(group, 0), "check failed");
  EXPECT_DEATH(disk.scheduler.set_weight(flow, 10001), "check failed");
  EXPECT_DEATH(disk.submit(group), "check failed");  // a group has no queue
  EXPECT_DEATH(disk.scheduler.set_depth(0), "check failed");
  EXPECT_DEATH(disk.scheduler.set_depth(1025), "check failed");
  EXPECT_DEATH(disk.scheduler.charge(flow, -1ns, {}), "scheduler.cc:[0-9]+: check failed: device_time");
}

}  // namespace
}  // namespace fairfs::test
