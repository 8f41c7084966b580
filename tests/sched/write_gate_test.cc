#include "sched/write_gate.h"

#include <gtest/gtest.h>

#include <chrono>
#include <utility>
#include <variant>
#include <vector>

#include "tests/sched/flat_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Dispatch;
using sched::Operation;
using sched::Sleep;
using sched::Time;

sched::DiskProfile flushes_of(sched::Duration cost) {
  sched::DiskProfile profile;
  profile.sync = cost;
  return profile;
}

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
  EXPECT_EQ(sleep.until, now + 100ms);
  now += 7ms;
  scheduler.complete(sync.id, now);
  dispatched();
}

TEST_F(WriteGateTest, AFlushThatTakesForEverHoldsNobodyBackForLonger) {
  flush();
  dispatched();
  write(1);
  now += 100ms;
  dispatched();
}

TEST_F(WriteGateTest, AFlushGoesBeforeWhatElseIsOfEqualRank) {
  // Its finish tag is the last of all: it costs 50 of the others.
  sched::Scheduler long_flushes{[] {
    auto config = flat_disk(1ms, 8);
    config.profile.sync = 50ms;
    return config;
  }()};
  const auto reader = long_flushes.add_flow(sched::kRoot, 100), syncer = long_flushes.add_flow(sched::kRoot, 100);
  for (int i = 0; i < 10; ++i) long_flushes.submit({.flow = reader, .operation = Operation::read}, now);
  long_flushes.submit({.flow = syncer, .operation = Operation::sync, .cookie = 1}, now);
  long_flushes.submit({.flow = syncer, .operation = Operation::sync, .cookie = 2}, now);
  EXPECT_EQ(std::get<Dispatch>(long_flushes.next(now)).cookie, 1U);
  EXPECT_EQ(std::get<Dispatch>(long_flushes.next(now)).cookie, 2U) << "goes down with the first";
}

TEST_F(WriteGateTest, AFlushGoesBeforeItsOwnFlowsWriteBehind) {
  write(1000);
  write(1000);
  scheduler.submit({.flow = writer, .operation = Operation::sync, .cookie = 7}, now);
  EXPECT_EQ(dispatched().cookie, 7U);
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
  sched::WriteGate gate{flushes_of(1ms)};
  Time now{};
  for (int i = 0; i < 4; ++i) {
    gate.sync_started(now);
    now += 41ms;
    gate.sync_ended(now);
  }
  EXPECT_NEAR(std::chrono::duration<double>(gate.sync_cost()).count(), 0.02834, 0.0001);
}

TEST(WriteGate, FlushesThatGoTogetherShareTheTime) {
  sched::WriteGate gate{flushes_of(10ms)};
  for (int i = 0; i < 4; ++i) gate.sync_started(Time{});
  for (int i = 0; i < 4; ++i) gate.sync_ended(Time{40ms});
  EXPECT_EQ(gate.sync_cost(), 10ms) << "40 ms for four";
}

// 100 MB/s and flushes of 10 ms: 1 MB, in two pieces.
TEST(WriteGate, WhileFlushesFollowEachOtherTheDiskHoldsWhatItWritesInTheTimeOfOne) {
  sched::DiskProfile profile = flushes_of(10ms);
  profile.write.bytes_per_s = 100'000'000;
  sched::WriteGate gate{profile};
  gate.set_window(2'000'000);
  EXPECT_FALSE(gate.blocks(2'000'000, Time{}));
  gate.sync_started(Time{});
  gate.sync_ended(Time{10ms});
  gate.write_started(1, Time{10ms});
  EXPECT_TRUE(gate.blocks(1'000'000, Time{209ms}));
  EXPECT_FALSE(gate.blocks(999'999, Time{209ms}));
  EXPECT_EQ(gate.piece(Time{209ms}), 256U * 1024) << "the power of two below 500,000";
  EXPECT_FALSE(gate.blocks(1'999'999, Time{210ms})) << "none for 200 ms";
  EXPECT_EQ(gate.piece(Time{210ms}), 1024U * 1024);
}

// 3 ms of the disk, a power of two: 0.34 MB, 0.9 MB (full ones), 3 MB, 9 MB, 30 MB.
TEST(WriteGate, PiecesAreLargerWhereTheDiskIsFaster) {
  constexpr std::uint64_t kMiB = 1024 * 1024;
  const std::vector<std::pair<std::uint64_t, std::uint64_t>> wanted{{113'000'000, kMiB},
                                                                    {300'000'000, kMiB},
                                                                    {1'000'000'000, 2 * kMiB},
                                                                    {3'000'000'000, 8 * kMiB},
                                                                    {10'000'000'000, 8 * kMiB}};
  for (const auto& [rate, piece] : wanted) {
    sched::DiskProfile profile = flushes_of(1ms);
    profile.write.bytes_per_s = rate;
    sched::WriteGate gate{profile};
    gate.set_window(rate / 50);
    EXPECT_EQ(gate.piece(Time{}), piece) << rate;
    gate.sync_started(Time{});
    gate.sync_ended(Time{1ms});
    EXPECT_LE(gate.piece(Time{2ms}), kMiB) << rate << ", beside flushes";
  }
}

// 1 MB each 10 ms is 100 MB/s, and what a flush did to the first piece after it is not counted.
TEST(WriteGate, TheRateOfWritesIsThatWithoutFlushes) {
  sched::WriteGate gate{flushes_of(10ms)};
  Time now{};
  for (int flush = 0; flush < 100; ++flush) {
    gate.sync_started(now);
    gate.sync_ended(now += 10ms);
    for (int i = 0; i < 4; ++i) gate.write_started(1'000'000, now);
    gate.write_ended(1'000'000, now += 25ms);
    for (int i = 0; i < 3; ++i) gate.write_ended(1'000'000, now += 10ms);
  }
  EXPECT_NEAR(static_cast<double>(gate.bytes_per_s()), 100e6, 1e6);
}

TEST(WriteGate, WhatAFlushFindsInTheDiskIsNotItsCost) {
  sched::WriteGate gate{flushes_of(10ms)};
  gate.write_started(1000, Time{});
  gate.sync_started(Time{});
  gate.write_ended(1000, Time{18ms});
  gate.sync_ended(Time{28ms});
  EXPECT_EQ(gate.sync_cost(), 10ms);
}

TEST(WriteGate, ADiskThatHangsIsNobodysCost) {
  sched::WriteGate gate{flushes_of(1ms)};
  gate.sync_started(Time{});
  gate.sync_ended(Time{1h});
  EXPECT_EQ(gate.sync_cost(), sched::WriteGate::kSyncCostMax);
}

}  // namespace
}  // namespace fairfs::test
