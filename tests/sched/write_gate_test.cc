#include "sched/write_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <variant>

#include "tests/sched/flat_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Dispatch;
using sched::Operation;
using sched::Sleep;
using sched::Time;

class WriteGateTest : public ::testing::Test {
 protected:
  sched::Scheduler scheduler{flat_disk(1ms, 8)};
  sched::NodeId writer = scheduler.add_flow(sched::kRoot, 100), other = scheduler.add_flow(sched::kRoot, 100);
  Time now{};

  WriteGateTest() { scheduler.set_write_window(2000); }
  void write(std::uint64_t bytes) {
    scheduler.submit({.flow = writer, .operation = Operation::write, .bytes = bytes, .buffered = true}, now);
  }
  void flush() { scheduler.submit({.flow = other, .operation = Operation::sync}, now); }
  Dispatch dispatched() { return std::get<Dispatch>(scheduler.next(now)); }
  Sleep asleep() { return std::get<Sleep>(scheduler.next(now)); }
};

TEST_F(WriteGateTest, TheWindowBoundsWhatIsInTheDisk) {
  for (int i = 0; i < 3; ++i) write(1000);
  const Dispatch first = dispatched();
  dispatched();
  const Sleep sleep = asleep();
  EXPECT_EQ(sleep.reason, Sleep::Reason::writes);
  EXPECT_EQ(sleep.until, sched::kNever) << "only an end makes room";
  scheduler.complete(first.id, now);
  dispatched();
}

TEST_F(WriteGateTest, OneMayAlwaysGo) {
  write(1'000'000);
  dispatched();
  EXPECT_EQ(asleep().reason, Sleep::Reason::empty);
}

TEST_F(WriteGateTest, NothingIsAddedWhileAFlushIsInTheDisk) {
  flush();
  const Dispatch sync = dispatched();
  write(1);
  const Sleep sleep = asleep();
  EXPECT_EQ(sleep.reason, Sleep::Reason::writes);
  EXPECT_EQ(sleep.until, now + 50ms);
  now += 7ms;
  scheduler.complete(sync.id, now);
  dispatched();
}

TEST_F(WriteGateTest, AFlushThatTakesForEverHoldsNobodyBackForLonger) {
  flush();
  dispatched();
  write(1);
  now += 50ms;
  dispatched();
}

TEST_F(WriteGateTest, OtherFlushesGoDownWithTheFirst) {
  flush();
  flush();
  flush();
  dispatched();
  dispatched();
  dispatched();
}

// A flush said to take 1 ms takes 41 ms. The mean moves by a quarter each time: after four 1 + 40 (1 - 0.75^4) = 28.3.
TEST(WriteGate, AFlushIsChargedWhatItTakes) {
  sched::WriteGate gate{1ms};
  Time now{};
  for (int i = 0; i < 4; ++i) {
    gate.sync_started(now);
    now += 41ms;
    gate.sync_ended(now);
  }
  EXPECT_NEAR(std::chrono::duration<double>(gate.sync_cost()).count(), 0.02834, 0.0001);
}

TEST(WriteGate, FlushesThatGoTogetherShareTheTime) {
  sched::WriteGate gate{10ms};
  for (int i = 0; i < 4; ++i) gate.sync_started(Time{});
  for (int i = 0; i < 4; ++i) gate.sync_ended(Time{40ms});
  EXPECT_EQ(gate.sync_cost(), 10ms) << "40 ms for four";
}

TEST(WriteGate, WhatAFlushFindsInTheDiskIsNotItsCost) {
  sched::WriteGate gate{10ms};
  gate.write_started(1000);
  gate.sync_started(Time{});
  gate.write_ended(1000, Time{18ms});
  gate.sync_ended(Time{28ms});
  EXPECT_EQ(gate.sync_cost(), 10ms);
}

TEST(WriteGate, ADiskThatHangsIsNobodysCost) {
  sched::WriteGate gate{1ms};
  gate.sync_started(Time{});
  gate.sync_ended(Time{1h});
  EXPECT_EQ(gate.sync_cost(), sched::WriteGate::kSyncCostMax);
}

}  // namespace
}  // namespace fairfs::test
