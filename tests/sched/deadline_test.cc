// max_wait: nobody who holds the kernel's locks waits for ever, and long-run shares hold all the same.
#include <gtest/gtest.h>

#include <chrono>

#include "sched/deadline_queue.h"
#include "tests/sched/flat_disk.h"
#include "tests/sched/modelled_disks.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::NodeId;
using sched::Time;

/// Turns of 1 ms until `flow` is served; the others ask again.
int turns_until(FlatDisk& disk, NodeId flow) {
  for (int turns = 1;; ++turns) {
    const NodeId served = disk.serve();
    if (served == flow) return turns;
    disk.submit(served);
  }
}

class Deadline : public testing::Test {
 protected:
  // Both busy; the light flow is due one turn in 10,001, every ten seconds, and has just had one.
  Deadline() {
    disk.submit(heavy, 2);
    disk.submit(light, 1);
    turns_until(disk, light);
  }

  FlatDisk disk;
  NodeId light = disk.scheduler.add_flow(kRoot, 1);
  NodeId heavy = disk.scheduler.add_flow(kRoot, 10000);
};

TEST_F(Deadline, ABoundedRequestIsServedRightAfterMaxWait) {
  disk.submit(light, true);
  EXPECT_EQ(turns_until(disk, light), 1002);  // it may wait 1000 ms; the decision at 1001 ms finds it overdue
  EXPECT_TRUE(disk.last.promoted);
  EXPECT_EQ(disk.last.waited, 1001ms);
}

TEST_F(Deadline, AnUnboundedOneOnlyAges) {
  disk.submit(light, 1);
  EXPECT_GT(turns_until(disk, light), 5000);
  EXPECT_FALSE(disk.last.promoted);
}

TEST_F(Deadline, WhatWasPromotedIsPaidBackFromLaterTurns) {
  for (int i = 0; i < 5; ++i) disk.submit(light, true);
  // All five after a second: with the one before them 60 s worth of turns.
  for (int i = 0; i < 5; ++i) EXPECT_EQ(disk.turns_of(light, i == 0 ? 1002 : 1), 1);
  // The one that turns_of submitted anew isn't bounded: the share counts until V has caught up.
  EXPECT_EQ(disk.turns_of(light, 45'000), 0);
  EXPECT_NEAR(disk.turns_of(light, 100'000), 9, 1);  // by 146 s 15 turns were due, it has had 6
}

TEST_F(Deadline, TheOverdueRequestItselfIsServedNotItsFlowsOldest) {
  disk.submit(light, 1);
  const sched::RequestId bounded = disk.submit(light, true);
  EXPECT_EQ(turns_until(disk, light), 1002);
  EXPECT_EQ(disk.last.id, bounded);
  EXPECT_EQ(disk.scheduler.service(light).queued, 1U);
}

TEST_F(Deadline, NeedsAFreeSlot) {
  disk.submit(light, true);
  const auto running = std::get<sched::Dispatch>(disk.scheduler.next(disk.now));
  const auto sleep = std::get<sched::Sleep>(disk.scheduler.next(disk.now + 5s));
  EXPECT_EQ(sleep.reason, sched::Sleep::Reason::depth);
  EXPECT_EQ(sleep.until, sched::kNever);  // only a completion can change that
  disk.scheduler.complete(running.id, disk.now + 5s);
  EXPECT_TRUE(std::get<sched::Dispatch>(disk.scheduler.next(disk.now + 5s)).promoted);
}

// The disk hangs on a request of the flow whose turn it is. Others go on: a turn ends by the clock.
TEST(DeadlineAmongTurns, AHangingRequestDoesNotHoldTheDiskForEver) {
  sched::Scheduler scheduler(hard_disk().config);
  const NodeId stuck = scheduler.add_flow(kRoot, 100), other = scheduler.add_flow(kRoot, 100);
  scheduler.submit({.flow = stuck, .inode = 1, .bytes = 4096}, {});
  EXPECT_TRUE(std::holds_alternative<sched::Dispatch>(scheduler.next({})));
  scheduler.submit({.flow = other, .inode = 2, .bytes = 4096}, {});
  const auto sleep = std::get<sched::Sleep>(scheduler.next({}));
  EXPECT_EQ(sleep.reason, sched::Sleep::Reason::anticipating);
  EXPECT_LE(sleep.until, Time{500ms});
  EXPECT_TRUE(std::holds_alternative<sched::Dispatch>(scheduler.next(sleep.until)));
}

TEST_F(Deadline, ACancelledRequestHasNone) {
  EXPECT_TRUE(disk.scheduler.cancel(disk.submit(light, true), disk.now));
  EXPECT_EQ(disk.turns_of(heavy, 2000), 2000);
}

// 3,000 busy flows at 1 ms, one at a time: a round is 3 s, so nobody is late before 6 s.
TEST(DeadlineQueue, TwoRoundsOfTheScheduleIfThatIsLonger) {
  sched::Requests requests;
  sched::DiskProfile profile;
  profile.parallelism = 1;
  sched::DeadlineQueue queue(1s, profile);
  queue.observe(1'000'000);
  EXPECT_EQ(queue.round(3000), 3s);
  queue.push(requests, requests.add({}));
  EXPECT_FALSE(queue.overdue(requests, 3000, Time{6s}));
  EXPECT_TRUE(queue.overdue(requests, 3000, Time{6s + 1ns}));
  EXPECT_FALSE(queue.overdue(requests, 10, Time{1s}));  // a round is 10 ms: max_wait counts
  EXPECT_TRUE(queue.overdue(requests, 10, Time{1s + 1ns}));
}

TEST(DeadlineQueue, ARoundIsLongerWhereTheDepthKeepsPartOfTheDiskIdle) {
  sched::DiskProfile profile;
  profile.parallelism = 8;
  sched::DeadlineQueue queue(1s, profile);
  queue.observe(1'000'000);
  EXPECT_EQ(queue.round(800), 800ms);
  queue.set_depth(2);
  EXPECT_EQ(queue.round(800), 3200ms);
}

TEST(DeadlineQueue, TheMeanFollowsTheCosts) {
  sched::DiskProfile profile;
  profile.parallelism = 1;
  sched::DeadlineQueue queue(1s, profile);
  queue.observe(1'000'000);
  for (int i = 0; i < 1000; ++i) queue.observe(3'000'000);
  EXPECT_NEAR(static_cast<double>(queue.round(1).count()), 3e6, 1e3);
}

}  // namespace
}  // namespace fairfs::test
