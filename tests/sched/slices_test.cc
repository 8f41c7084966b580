// Turns on disks that must not interleave streams: throughput, shares, waits.
#include "sched/slices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <utility>
#include <vector>

#include "sched/tree.h"
#include "tests/sched/race.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::SliceLengths;
using sched::Tree;

TEST(SliceLength, SixteenToTwentyFourSwitchesInARoundThatANewcomerCanBear) {
  const SliceLengths disk(10ms);
  EXPECT_EQ(disk.length(1, Tree::kShareOne), 160ms);          // alone
  EXPECT_EQ(disk.length(2, Tree::kShareOne / 2), 240ms);      // equal: 24 switches
  EXPECT_EQ(disk.length(2, Tree::kShareOne * 3 / 8), 120ms);  // 2 x 160 ms, three eighths of it
  EXPECT_EQ(disk.length(2, Tree::kShareOne * 7 / 8), 280ms);  // and seven
  EXPECT_EQ(disk.length(8, Tree::kShareOne / 8), 100ms);      // 8 x 160 ms is cut to 800 ms
  EXPECT_EQ(disk.length(2, Tree::kShareOne * 3 / 4), 240ms);  // a turn each, three quarters of the round
  EXPECT_EQ(disk.length(2, Tree::kShareOne / 100), 30ms);     // never less than three switches
  EXPECT_NEAR(std::chrono::duration<double>(disk.length(100, Tree::kShareOne / 100)).count(), 0.08, 1e-5);
}

TEST(Slices, OneReaderAloneIsNeverHeldBack) {
  // 64 KiB take 546 us and 100 us of thinking: 101 MB/s.
  EXPECT_NEAR(alone(hard_disk(), reader()), 101.4, 0.5);
}

TEST(Slices, EightReadersKeepTheRateOfOneAndGetAnEighthEach) {
  const double one = alone(hard_disk(), reader());
  const std::vector<double> each = Race(hard_disk(), std::vector<Workload>(8, reader())).run();
  EXPECT_GE(sum(each), 0.85 * one);
  EXPECT_THAT(each, testing::Each(testing::DoubleNear(sum(each) / 8, sum(each) / 80)));
}

TEST(Slices, SoDoEightThatThinkAMillisecond) {
  const double one = alone(hard_disk(), reader(1ms));
  const std::vector<double> each = Race(hard_disk(), std::vector<Workload>(8, reader(1ms))).run();
  EXPECT_GE(sum(each), 0.85 * one);
  EXPECT_THAT(each, testing::Each(testing::DoubleNear(sum(each) / 8, sum(each) / 80)));
}

TEST(Slices, WithoutThemTheDiskDoesNothingButTurn) {
  ModelledDisk disk = hard_disk();
  disk.config.features.slices = false;
  // Every request of 64 KiB pays 12 ms: 5.2 MB/s.
  EXPECT_NEAR(sum(Race(disk, std::vector<Workload>(8, reader())).run()), 5.22, 0.1);
}

TEST(Slices, WithoutAnticipationATurnOfADepthOneReaderIsOneRequest) {
  ModelledDisk disk = hard_disk();
  disk.config.features.anticipation = false;
  EXPECT_NEAR(sum(Race(disk, std::vector<Workload>(8, reader())).run()), 5.22, 0.1);
}

TEST(Slices, WeightsShowInBytes) {
  for (const auto& [first, second] : {std::pair{10, 90}, {20, 80}, {30, 70}, {40, 60}, {50, 50}}) {
    const std::vector<double> each =
        Race(hard_disk(), {reader(), reader()}, {static_cast<sched::Weight>(first), static_cast<sched::Weight>(second)})
            .run();
    EXPECT_NEAR(each[1] / each[0] / (static_cast<double>(second) / first), 1, 0.05) << first;
    EXPECT_GE(sum(each), 0.8 * 101.4);
  }
}

/// As the kernel reads ahead for a program: 128 KiB twice. Now and then it waits for a processor, longer than the disk
/// waits for it (2 ms).
Workload interrupted(sched::Duration busy, sched::Duration pause) {
  return {.outstanding = 2,
          .think = 100us,
          .busy = busy,
          .pause = pause,
          .bytes_min = 128 * 1024,
          .bytes_max = 128 * 1024,
          .sequential = true,
          .bounded_wait = true};
}

// A turn of one that is alone is 192 ms long, and 36 ms beside a neighbour of nine times its weight. That one waits for
// those, for what is in the disk (1 ms each) and for the head, whenever it comes.
TEST(Slices, ATurnOfALightFlowAloneEndsAsOneBesideItsNeighbourWhoComes) {
  ModelledDisk disk = hard_disk();
  disk.config.features.loans = false;
  for (sched::Duration start = 1000ms; start < 1400ms; start += 23ms) {
    Workload late = reader();
    late.start = start;
    Race race(disk, {interrupted(1h, 0ms), late}, {10, 90});
    race.simulation.run_for(2s);
    EXPECT_LE(race.simulation.books(race.flows[1]).waited_max, 39ms + 12ms) << start / 1ms;
  }
}

// Whoever was away for 20 ms keeps what it is behind: up to a turn of others.
TEST(Slices, ABriefPauseForgoesNoTurn) {
  const auto off = [](bool claims, int light) {
    ModelledDisk disk = hard_disk();
    disk.config.features.claims = claims;
    const sched::Weight first = static_cast<sched::Weight>(light), second = static_cast<sched::Weight>(100 - light);
    Race race(disk, {interrupted(777ms, 20ms), interrupted(814ms, 20ms)}, {first, second});
    const std::vector<double> each = race.run(60s);
    return std::abs(each[1] / each[0] * light / (100 - light) - 1);
  };
  for (const int light : {10, 20, 30, 40, 50}) EXPECT_LE(off(true, light), 0.03) << light;
  EXPECT_GE(off(false, 10), 0.2);
}

TEST(Slices, ARandomReaderOfDepthOneGetsItsShareToo) {
  Workload random = reader();
  random.sequential = false;
  random.bytes_min = random.bytes_max = 4096;
  Race race(hard_disk(), {random, reader()}, {75, 25});
  race.run();
  const double time = static_cast<double>(race.simulation.received(race.flows[0]).count());
  const double other = static_cast<double>(race.simulation.received(race.flows[1]).count());
  EXPECT_NEAR(time / (time + other), 0.75, 0.03);
}

TEST(Slices, TwoRandomReadersOfDepthOneToo) {
  Workload random = reader();
  random.sequential = false;
  random.bytes_min = random.bytes_max = 4096;
  const std::vector<double> each = Race(hard_disk(), {random, random}, {90, 10}).run();
  EXPECT_NEAR(each[0] / each[1], 9, 0.45);
}

TEST(Slices, RaidNeedsLongerTurnsAndGetsThem) {
  Workload large = reader();
  large.bytes_min = large.bytes_max = 1024 * 1024;
  const double one = alone(raid0(), large);
  const std::vector<double> each = Race(raid0(), std::vector<Workload>(4, large)).run();
  EXPECT_GE(sum(each), 0.75 * one);
  EXPECT_THAT(each, testing::Each(testing::DoubleNear(sum(each) / 4, sum(each) / 40)));
}

TEST(Slices, SeveralStreamsAtOnceWhereTheDiskBearsThem) {
  ModelledDisk disk = hard_disk();
  disk.config.profile.best_streams = 2;
  disk.device.seek = 0ms;
  disk.device.channels = 2;  // two requests at once, at their cost
  const double one = alone(disk, reader(1ms));
  EXPECT_GE(sum(Race(disk, std::vector<Workload>(8, reader(1ms))).run()), 0.85 * 2 * one);
}

}  // namespace
}  // namespace fairfs::test
