// Several processes, one stream.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/sched/race.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Dispatch;
using sched::kRoot;
using sched::NodeId;

constexpr std::uint64_t kZone = 16 * 1024;

/// One of three processes that read a file together, each every third zone.
Workload zone_reader(std::uint64_t zone) {
  Workload workload = reader();
  workload.bytes_min = workload.bytes_max = workload.zone_bytes = kZone;
  workload.shared_file = 1;
  workload.zones = 3;
  workload.zone = zone;
  return workload;
}

TEST(Cooperators, ThreeThatShareTheZonesOfAFileAreAsFastAsOneThatReadsItAll) {
  Workload whole = reader();
  whole.bytes_min = whole.bytes_max = kZone;
  const double together = sum(Race(hard_disk(), {zone_reader(0), zone_reader(1), zone_reader(2)}).run());
  EXPECT_GE(together, 0.97 * alone(hard_disk(), whole));
}

TEST(Cooperators, AsStrangersEachWouldPassOverTheZonesOfTheOthers) {
  ModelledDisk disk = hard_disk();
  disk.config.features.cooperators = false;
  // Each waits for the zones of the others to pass under the head: 16 KiB for 48 KiB of turning and 100 us of thinking,
  // 32 MB/s.
  EXPECT_LE(sum(Race(disk, {zone_reader(0), zone_reader(1), zone_reader(2)}).run()), 33);
}

TEST(Cooperators, AStrangerBesideThemKeepsItsShare) {
  Race race(hard_disk(), {zone_reader(0), zone_reader(1), zone_reader(2), reader()}, {100, 100, 100, 300});
  race.run();
  sched::Duration together{};
  for (std::size_t i = 0; i < 3; ++i) together += race.simulation.received(race.flows[i]);
  const double part = std::chrono::duration<double>(together) / race.simulation.received(race.flows[3]);
  EXPECT_NEAR(part, 1, 0.05);
}

/// Two flows of one file and a disk, call by call.
class Pair : public testing::Test {
 protected:
  void ask(NodeId flow, std::uint64_t offset) {
    scheduler.submit({.flow = flow, .inode = 1, .offset = offset, .bytes = kZone, .cookie = offset}, now);
  }
  /// The offset of what is served next; ~0: the disk is held.
  std::uint64_t serve() {
    const sched::Decision decision = scheduler.next(now);
    if (!std::holds_alternative<Dispatch>(decision)) return ~std::uint64_t{0};
    now += 136us;
    scheduler.complete(std::get<Dispatch>(decision).id, now);
    return std::get<Dispatch>(decision).cookie;
  }

  sched::Time now{};
  sched::Scheduler scheduler{hard_disk().config};
  NodeId first = scheduler.add_flow(kRoot, 100), second = scheduler.add_flow(kRoot, 100);
};

TEST_F(Pair, WhoContinuesTheStreamIsServedInTheTurnOfAnotherAtOnce) {
  ask(first, 0);
  EXPECT_EQ(serve(), 0U);
  ask(second, kZone);
  EXPECT_EQ(serve(), kZone);
  ask(second, 3 * kZone);
  ask(first, 2 * kZone);
  EXPECT_EQ(serve(), 2 * kZone);  // in the order of the file
  EXPECT_EQ(serve(), 3 * kZone);
  // 136 us each: the second half was sequential for both although neither read what came before it.
  EXPECT_EQ(scheduler.service(second).device_time, 2 * 136'533ns);
}

// 3 before 2 would cost a turn of the platter for each, and for all that follow: 2 comes in a moment.
TEST_F(Pair, WhoIsAMomentLateIsWaitedFor) {
  ask(first, 0);
  EXPECT_EQ(serve(), 0U);
  ask(second, kZone);
  EXPECT_EQ(serve(), kZone);
  ask(second, 3 * kZone);
  EXPECT_EQ(serve(), ~std::uint64_t{0});
  now += 1ms;
  ask(first, 2 * kZone);
  EXPECT_EQ(serve(), 2 * kZone);
  EXPECT_EQ(serve(), 3 * kZone);
  ask(second, 5 * kZone);
  EXPECT_EQ(serve(), ~std::uint64_t{0});
  now += 9ms;  // whoever thinks for so long has left
  EXPECT_EQ(serve(), 5 * kZone);
}

// The platter has to come round for it: nothing of a stream's cost. As 16 readers at random with the same seed are.
TEST_F(Pair, WhoReadsWhatTheOtherHasJustReadIsChargedForATurnOfThePlatter) {
  ask(first, 0);
  EXPECT_EQ(serve(), 0U);
  ask(second, 0);
  EXPECT_EQ(serve(), 0U);  // near enough to be served in the turn
  EXPECT_GE(scheduler.service(second).device_time, 8ms);
}

TEST_F(Pair, WhoGoOnElsewhereTogetherAreStillTogether) {
  ask(first, 0);
  EXPECT_EQ(serve(), 0U);
  ask(second, kZone);
  EXPECT_EQ(serve(), kZone);
  constexpr std::uint64_t kElsewhere = 1'000'000'000;
  ask(second, kElsewhere + kZone);
  ask(first, kElsewhere);
  EXPECT_EQ(serve(), kElsewhere);
  EXPECT_EQ(serve(), kElsewhere + kZone);
}

TEST_F(Pair, WhoWentElsewhereIsAStrangerAgain) {
  ask(first, 0);
  EXPECT_EQ(serve(), 0U);
  ask(second, kZone);
  EXPECT_EQ(serve(), kZone);
  ask(second, 1'000'000'000);
  EXPECT_EQ(serve(), ~std::uint64_t{0});  // held for the first, who has just begun
  ask(first, 2 * kZone);
  EXPECT_EQ(serve(), 2 * kZone);
}

}  // namespace
}  // namespace fairfs::test
