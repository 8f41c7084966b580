// A disk that turns slower or faster than its profile: followed, and nothing else is.
#include "sched/cost_correction.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/sched/modelled_disks.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::CostCorrection;
using sched::Duration;
using sched::kRoot;
using sched::NodeId;
using sched::Operation;
using sched::Time;

sched::DiskProfile profile(double parallelism, std::uint32_t depth) {
  sched::DiskProfile result;
  result.parallelism = parallelism;
  result.depth = depth;
  return result;
}

/// `n` requests of a predicted millisecond each, `depth` in the disk all the time, of which one ends every `each`.
void serve(CostCorrection& correction, std::uint32_t depth, int n, Duration each, Time& now) {
  for (std::uint32_t i = 0; i < depth; ++i) correction.started(Operation::read, now);
  for (; n > 0; --n) {
    now += each;
    correction.ended(Operation::read, 1'000'000, now);
    correction.started(Operation::read, now);
  }
  for (std::uint32_t i = 0; i < depth; ++i) correction.ended(Operation::read, 1'000'000, now);
}

TEST(CostCorrection, MovesAQuarterOfTheWayForEachTenthOfASecond) {
  CostCorrection correction{profile(8, 8)};
  Time now{};
  serve(correction, 8, 33, 3ms, now);
  EXPECT_EQ(correction.slowness(), 1) << "99 ms are no sample";
  serve(correction, 8, 1, 3ms, now);
  EXPECT_NEAR(correction.slowness(), 1.5, 0.15) << "some of the first eight ended at once, with the last of them";
  serve(correction, 8, 34 * 20, 3ms, now);
  EXPECT_NEAR(correction.slowness(), 3, 0.1);
  serve(correction, 8, 100 * 20, 1ms, now);
  EXPECT_NEAR(correction.slowness(), 1, 0.02);
  serve(correction, 8, 200 * 20, 500us, now);
  EXPECT_NEAR(correction.slowness(), 0.5, 0.01);
}

// A probe measures 8 channels as 7.8 or 8.3, and its knee is a whole number: the disk is followed either way.
TEST(CostCorrection, AKneeJustBelowTheParallelismIsBusyToo) {
  for (const double parallelism : {7.8, 8.1, 8.8}) {
    CostCorrection correction{profile(parallelism, 8)};
    Time now{};
    serve(correction, 8, 34 * 20, 3ms, now);
    EXPECT_NEAR(correction.slowness(), 3, 0.1) << parallelism;
  }
}

// The head comes back from a writer's turn: what that takes is nobody's, and no reason to charge readers more.
TEST(CostCorrection, TheFirstReadAfterBufferedWritesSaysNothing) {
  CostCorrection correction{profile(1, 32)};
  Time now{};
  for (int turn = 0; turn < 20; ++turn) {
    correction.started(Operation::sync, now);  // as buffered writes are told
    correction.started(Operation::read, now);
    now += 9ms;
    correction.ended(Operation::sync, 0, now);
    for (int i = 0; i < 60; ++i) {
      now += i == 0 ? 17ms : 4ms;
      correction.started(Operation::read, now);
      correction.ended(Operation::read, 4'000'000, now);
    }
    correction.ended(Operation::read, 4'000'000, now);
  }
  EXPECT_NEAR(correction.slowness(), 1, 0.02);
}

TEST(CostCorrection, ADiskThatIsNotBusySaysNothing) {
  CostCorrection correction{profile(8, 8)};
  Time now{};
  serve(correction, 7, 1000, 8ms, now);
  EXPECT_EQ(correction.slowness(), 1);
  CostCorrection too_few_slots{profile(8, 4)};
  serve(too_few_slots, 4, 1000, 2ms, now);
  EXPECT_EQ(too_few_slots.slowness(), 1) << "four slots of eight: half of the disk is all there is to have";
}

TEST(CostCorrection, OneRequestKeepsASerialDiskBusy) {
  CostCorrection correction{profile(1.2, 8)};
  Time now{};
  serve(correction, 1, 1000, 2ms, now);
  EXPECT_NEAR(correction.slowness(), 2, 0.01);
}

TEST(CostCorrection, FlushesAreLeftOut) {
  CostCorrection correction{profile(1, 8)};
  Time now{};
  for (int i = 0; i < 1000; ++i) {
    correction.started(Operation::read, now);
    now += 1ms;
    correction.ended(Operation::read, 1'000'000, now);
    correction.started(Operation::sync, now);
    now += 50ms;
    correction.ended(Operation::sync, 2'000'000, now);
  }
  EXPECT_DOUBLE_EQ(correction.slowness(), 1);
}

TEST(CostCorrection, AHangIsForgottenWithinTwoSeconds) {
  CostCorrection correction{profile(8, 8)};
  Time now{};
  serve(correction, 8, 1000, 1ms, now);
  serve(correction, 8, 1, 60s, now);
  EXPECT_LE(correction.slowness(), 5);
  serve(correction, 8, 2000, 1ms, now);
  EXPECT_NEAR(correction.slowness(), 1, 0.05);
}

TEST(CostCorrection, StaysWithinItsBounds) {
  CostCorrection correction{profile(8, 8)};
  Time now{};
  serve(correction, 8, 2000, 1s, now);
  EXPECT_NEAR(correction.slowness(), CostCorrection::kSlownessMax, 0.01);
  serve(correction, 8, 2'000'000, 1us, now);
  EXPECT_NEAR(correction.slowness(), CostCorrection::kSlownessMin, 0.5);
}

/// Eight channels of 800 us as a probe would describe them.
ModelledDisk ssd() {
  ModelledDisk disk;
  disk.device = {.channels = 8, .whole_costs = true, .noise_percent = 20};
  disk.config.profile = profile(8, 16);
  disk.config.profile.read = disk.config.profile.write = {0us, 0us, 300'000'000, 100us};
  return disk;
}

/// Two deep readers, weights 1:3, on a disk whose speed changes.
class Changing : public testing::Test {
 protected:
  explicit Changing(const ModelledDisk& disk = ssd()) : simulation(disk.config, disk.device, Seed{7}) {
    simulation.watch(books);
    light = simulation.add_flow(kRoot, 100, {.outstanding = 64});
    heavy = simulation.add_flow(kRoot, 300, {.outstanding = 64});
  }
  ~Changing() override { EXPECT_EQ(failures(simulation, {&books}), std::vector<std::string>{}); }
  /// For so many seconds, shares are 1:3 in each.
  void run(int seconds) {
    for (; seconds > 0; --seconds) {
      const std::uint64_t light_before = simulation.bytes(light), heavy_before = simulation.bytes(heavy);
      simulation.run_for(1s);
      const auto got = static_cast<double>(simulation.bytes(heavy) - heavy_before);
      EXPECT_NEAR(got / static_cast<double>(simulation.bytes(light) - light_before), 3, 0.1);
    }
  }
  [[nodiscard]] double slowness() { return simulation.scheduler().slowness(); }

  BooksOracle books;
  Simulation simulation;
  NodeId light{}, heavy{};
};

TEST_F(Changing, AThirdOfTheSpeedIsFollowedAndRecoveredFrom) {
  run(5);
  EXPECT_NEAR(slowness(), 1, 0.05);
  simulation.disk().set_slowness(3);
  run(2);
  EXPECT_NEAR(slowness(), 3, 0.15);
  const Duration before = simulation.received(light) + simulation.received(heavy);
  run(10);
  const Duration charged = simulation.received(light) + simulation.received(heavy) - before;
  EXPECT_NEAR(static_cast<double>(charged.count()), 10e9, 0.5e9) << "a busy disk gives away a second each second";
  simulation.disk().set_slowness(1);
  run(3);
  EXPECT_NEAR(slowness(), 1, 0.05);
}

TEST_F(Changing, WithoutTheCorrectionTenSecondsWouldBeChargedAsThree) {
  sched::SchedulerConfig config = ssd().config;
  config.features.cost_correction = false;
  Simulation slow(config, ssd().device, Seed{7});
  const NodeId flow = slow.add_flow(kRoot, 100, {.outstanding = 64});
  slow.disk().set_slowness(3);
  slow.run_for(10s);
  EXPECT_NEAR(static_cast<double>(slow.received(flow).count()), 3.33e9, 0.1e9);
}

class ChangingSpindle : public Changing {
 protected:
  ChangingSpindle() : Changing(hard_disk()) {}
};

TEST_F(ChangingSpindle, ASlowSpindleToo) {
  simulation.run_for(20s);
  EXPECT_NEAR(slowness(), 1, 0.1);
  simulation.disk().set_slowness(3);
  simulation.run_for(5s);
  EXPECT_NEAR(slowness(), 3, 0.3);
  simulation.disk().set_slowness(1);
  simulation.run_for(10s);
  EXPECT_NEAR(slowness(), 1, 0.1);
}

}  // namespace
}  // namespace fairfs::test
