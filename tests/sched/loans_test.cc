// Loans: who gets one, who doesn't, and that it is paid.
#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/sched/flat_disk.h"
#include "tests/sched/race.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::NodeId;

// One slot, 1 ms a request: 1024 of them and what a byte-free model makes of 96 MiB are lent at most.
class LoansTest : public testing::Test {
 protected:
  LoansTest() { disk.submit(crowd, 2); }
  /// The crowd has kept the disk busy since the beginning.
  void crowd_for(sched::Duration time) {
    for (const auto end = disk.now + time; disk.now < end;) disk.submit(disk.serve());
  }
  /// Of the next turns how many go to `flow`, which asks again after each.
  int turns_of(NodeId flow, int turns) {
    disk.submit(flow);
    return disk.turns_of(flow, turns);
  }

  FlatDisk disk;
  NodeId crowd = disk.scheduler.add_flow(kRoot, 100);
  NodeId newcomer = disk.scheduler.add_flow(kRoot, 100);
};

TEST_F(LoansTest, WhoComesBesideOthersIsServedAtOnceAndPaysByHalfOfItsShare) {
  crowd_for(3s);
  EXPECT_GE(turns_of(newcomer, 100), 95);
  // 96 MiB or 1024 reads; these have no bytes.
  const int lent = 100 + disk.turns_of(newcomer, 2000);
  EXPECT_GE(lent, 1000);
  // Each turn pays for one of those: a third of the turns, while it owes.
  EXPECT_NEAR(disk.turns_of(newcomer, 300), 100, 5);
}

// As on a real mount: the first thing that a program has of a cold disk is the look-up of its own file.
TEST_F(LoansTest, WhoOwesForLookUpsAsWellAndIsNotDelayedMeanwhile) {
  crowd_for(3s);
  disk.scheduler.charge_metadata(newcomer, 30ms, disk.now);
  EXPECT_GT(disk.scheduler.metadata_delay(newcomer, disk.now), 0ms);
  EXPECT_GE(turns_of(newcomer, 100), 95);
  disk.scheduler.charge_metadata(newcomer, 30ms, disk.now);
  EXPECT_EQ(disk.scheduler.metadata_delay(newcomer, disk.now), 0ms);
  disk.turns_of(newcomer, 2000);
  // Lent and owed: paid afterwards, by half of the share.
  EXPECT_NEAR(disk.turns_of(newcomer, 300), 100, 5);
}

TEST_F(LoansTest, InTheLongRunSharesAreWhatTheyWere) {
  crowd_for(3s);
  const auto before = disk.scheduler.service(crowd).device_time;
  disk.submit(newcomer);
  disk.turns_of(newcomer, 8000);
  const auto of_newcomer = disk.scheduler.service(newcomer).device_time;
  const auto of_crowd = disk.scheduler.service(crowd).device_time - before;
  EXPECT_NEAR(static_cast<double>(of_newcomer / 1ms), static_cast<double>(of_crowd / 1ms), 5);
}

TEST_F(LoansTest, WhoStartsTogetherWithTheOthersGetsNone) { EXPECT_NEAR(turns_of(newcomer, 100), 50, 2); }

// As a row of programs that a script starts: those that come late are no less of a crowd than the first.
TEST_F(LoansTest, NorWhoStartsAsOneOfMany) {
  crowd_for(1s);
  std::vector<NodeId> many;
  for (int i = 0; i < 10; ++i) {
    disk.submit(many.emplace_back(disk.scheduler.add_flow(kRoot, 100)));
    for (const auto end = disk.now + 200ms; disk.now < end;) disk.submit(disk.serve());
  }
  // The tenth started 2.8 s after the crowd. Each has an eleventh, or so.
  EXPECT_LE(disk.turns_of(many.back(), 110), 15);
  EXPECT_LE(turns_of(newcomer, 120), 15);
  crowd_for(2s);
  const NodeId later = disk.scheduler.add_flow(kRoot, 100);
  EXPECT_GE(turns_of(later, 100), 95);
}

TEST_F(LoansTest, WhoComesBackAfterAPauseGetsOneAgainOnceItOwesNothing) {
  disk.submit(newcomer);
  crowd_for(3s);  // it was there from the beginning and stays until here
  while (disk.scheduler.service(newcomer).queued > 0) {
    if (const NodeId served = disk.serve(); served == crowd) disk.submit(crowd);
  }
  crowd_for(2s);
  EXPECT_NEAR(turns_of(newcomer, 20), 10, 2);  // 2 s are no pause
  while (disk.scheduler.service(newcomer).queued > 0) {
    if (const NodeId served = disk.serve(); served == crowd) disk.submit(crowd);
  }
  crowd_for(4s);
  EXPECT_GE(turns_of(newcomer, 20), 19);
  while (disk.scheduler.service(newcomer).queued > 0) {
    if (const NodeId served = disk.serve(); served == crowd) disk.submit(crowd);
  }
  crowd_for(4s);
  EXPECT_LE(turns_of(newcomer, 20), 10);  // it owes for the last one
}

// As on a real mount: the kernel reads ahead here, and still where the program was before, and the program waits.
TEST_F(LoansTest, WhatTheKernelReadsAheadEndsNone) {
  crowd_for(3s);
  disk.submit(newcomer, 3);
  EXPECT_GE(disk.turns_of(newcomer, 100), 95);
}

TEST_F(LoansTest, ADeepQueueIsNoStart) {
  crowd_for(3s);
  disk.submit(newcomer, 4);
  EXPECT_NEAR(disk.turns_of(newcomer, 100), 50, 3);
}

TEST_F(LoansTest, NorIsAWriter) {
  crowd_for(3s);
  for (int i = 0; i < 50; ++i) {
    disk.scheduler.submit({.flow = newcomer, .operation = sched::Operation::write, .cookie = 2}, disk.now);
  }
  EXPECT_NEAR(disk.turns_of(newcomer, 80), 40, 3);
}

TEST_F(LoansTest, NobodyIsServedBeforeTheRealtimeClass) {
  const NodeId realtime = disk.scheduler.add_flow(kRoot, 100);
  disk.scheduler.set_class(realtime, sched::ServiceClass::realtime);
  crowd_for(3s);
  disk.submit(newcomer);
  EXPECT_EQ(disk.serve(), newcomer);
  disk.submit(newcomer);
  disk.submit(realtime, 2);
  EXPECT_GE(disk.turns_of(realtime, 100), 95);
}

// One program after the other, each gone after 200 turns: what they have beyond their half is bounded.
TEST_F(LoansTest, ACrowdOfStartsHasNoMoreThanAFifthOnTop) {
  crowd_for(3s);
  disk.turns_of(crowd, 100);
  int own = 0;
  disk.scheduler.remove(newcomer);
  for (int i = 0; i < 100; ++i) {
    newcomer = disk.scheduler.add_flow(kRoot, 100);
    own += turns_of(newcomer, 200);
    while (disk.scheduler.service(newcomer).queued > 0) {
      if (const NodeId served = disk.serve(); served == crowd) disk.submit(crowd);
    }
    disk.scheduler.remove(newcomer);
  }
  EXPECT_LE(own, 20'000 * 6 / 10 + 1200);
}

// The programs of one group start one after the other; the group still has its half.
TEST_F(LoansTest, WhatAProgramLeavesOwingItsGroupPays) {
  crowd_for(3s);
  const NodeId group = disk.scheduler.add_group(kRoot, 100);
  const auto before = disk.scheduler.service(crowd).device_time;
  const auto start = disk.now;
  while (disk.now < start + 20s) {
    const NodeId program = disk.scheduler.add_flow(group, 100);
    static_cast<void>(turns_of(program, 200));
    while (disk.scheduler.service(program).queued > 0) {
      if (const NodeId served = disk.serve(); served == crowd) disk.submit(crowd);
    }
    disk.scheduler.remove(program);
  }
  const auto of_crowd = disk.scheduler.service(crowd).device_time - before;
  EXPECT_GE(of_crowd, (disk.now - start) * 45 / 100);
}

/// MB that a stream reads in the first 4 s, which begin while another one has the disk.
double read_at_first(sched::Weight weight, bool loans, sched::Duration start = 3s) {
  ModelledDisk disk = hard_disk();
  disk.config.features.loans = loans;
  Workload late = reader();
  late.start = start;
  Race race(disk, {reader(), late}, {100, weight});
  race.simulation.run_for(start + 4s);
  return static_cast<double>(race.simulation.bytes(race.flows[1])) / 1e6;
}

// It needs no answer at once, and a loan's turns are so short that it loses a third of what it is lent.
TEST(Loans, AStreamBesideAStreamLosesNothingByOne) {
  EXPECT_GE(read_at_first(100, true), 0.98 * read_at_first(100, false));
  EXPECT_GE(read_at_first(800, true), 0.98 * read_at_first(800, false));
}

// Wherever in the other's turn it comes.
TEST(Loans, AHeavyStreamGainsByOne) {
  double gained = 0;
  for (auto start = 3000ms; start < 3200ms; start += 10ms)
    gained += read_at_first(800, true, start) / read_at_first(800, false, start);
  EXPECT_GE(gained / 20, 1.0);
}

TEST_F(LoansTest, CanBeSwitchedOff) {
  sched::SchedulerConfig config = flat_disk(1ms, 1);
  config.features.loans = false;
  FlatDisk strict(config);
  const NodeId first = strict.scheduler.add_flow(kRoot, 100), second = strict.scheduler.add_flow(kRoot, 100);
  strict.submit(first, 2);
  while (strict.now < sched::Time{3s}) strict.submit(strict.serve());
  strict.submit(second, 1);
  EXPECT_NEAR(strict.turns_of(second, 100), 50, 2);
}

}  // namespace
}  // namespace fairfs::test
