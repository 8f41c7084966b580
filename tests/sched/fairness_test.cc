// Shares over time with worked numbers, in the simulator and call by call.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "tests/sched/flat_disk.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/pairwise_oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::NodeId;

using Milliseconds = std::chrono::duration<double, std::milli>;

void expect_share(const Simulation& simulation, NodeId node, sched::Duration expected, sched::Duration slack) {
  EXPECT_NEAR(Milliseconds(simulation.received(node)).count(), Milliseconds(expected).count(),
              Milliseconds(slack).count())
      << "node " << static_cast<std::uint32_t>(node);
}

TEST(Fairness, WeightTwoGetsTwoOfThree) {
  Simulation simulation(flat_disk(1ms, 1), {.channels = 1}, Seed{7});
  const NodeId light = simulation.add_flow(kRoot, 1, {.bytes_min = 0, .bytes_max = 0});
  const NodeId heavy = simulation.add_flow(kRoot, 2, {.bytes_min = 0, .bytes_max = 0});
  simulation.run_for(300ms);
  // 300 ms of one channel, shares 1/3 and 2/3, at most one request of 1 ms of error each.
  expect_share(simulation, light, 100ms, 1ms);
  expect_share(simulation, heavy, 200ms, 1ms);
}

TEST(Fairness, EachLevelSharesWhatItsParentGets) {
  Simulation simulation(flat_disk(1ms, 1), {.channels = 1}, Seed{7});
  const Workload reader{.bytes_min = 0, .bytes_max = 0};
  const NodeId a = simulation.add_group(kRoot, 300);
  const NodeId b = simulation.add_flow(kRoot, 100, reader);
  const NodeId inner = simulation.add_group(a, 100);
  const NodeId beside = simulation.add_flow(a, 200, reader);
  const NodeId first = simulation.add_flow(inner, 7, reader);
  const NodeId second = simulation.add_flow(inner, 7, reader);
  simulation.run_for(800ms);
  // a 3/4: inner 1/3 of it, shared by two; beside 2/3 of it. b 1/4. One request of error a level.
  expect_share(simulation, a, 600ms, 1ms);
  expect_share(simulation, b, 200ms, 1ms);
  expect_share(simulation, inner, 200ms, 2ms);
  expect_share(simulation, beside, 400ms, 2ms);
  expect_share(simulation, first, 100ms, 3ms);
  expect_share(simulation, second, 100ms, 3ms);
}

TEST(Fairness, EightSlotsGiveEightTimesTheTimeInTheSameShares) {
  Simulation simulation(flat_disk(800us, 8), {.channels = 8}, Seed{7});
  const Workload reader{.outstanding = 64, .bytes_min = 0, .bytes_max = 0};
  const NodeId light = simulation.add_flow(kRoot, 10, reader);
  const NodeId heavy = simulation.add_flow(kRoot, 90, reader);
  simulation.run_for(800ms);
  // 8 x 800 ms = 6400 ms, 10:90. Nine slots' worth of requests of error at most.
  expect_share(simulation, light, 640ms, 9 * 800us);
  expect_share(simulation, heavy, 5760ms, 9 * 800us);
}

TEST(Fairness, WhatOneDoesNotWantTheOthersGet) {
  Simulation simulation(flat_disk(1ms, 1), {.channels = 1}, Seed{7});
  // Wants 1 ms in every 10: a tenth, though it is due nine tenths.
  const NodeId thinking =
      simulation.add_flow(kRoot, 900, {.outstanding = 1, .think = 8ms, .bytes_min = 0, .bytes_max = 0});
  const NodeId busy = simulation.add_flow(kRoot, 100, {.bytes_min = 0, .bytes_max = 0});
  BooksOracle books;
  simulation.watch(books);
  simulation.run_for(1000ms);
  expect_share(simulation, thinking, 100ms, 10ms);
  EXPECT_EQ((simulation.received(thinking) + simulation.received(busy)) / 1ms, 1001);  // never idle
  EXPECT_THAT(failures(simulation, {&books}), testing::IsEmpty());
}

TEST(Fairness, AFlowThatWasAwayGetsNoBackPay) {
  FlatDisk disk;
  const NodeId stayed = disk.scheduler.add_flow(kRoot, 100);
  const NodeId away = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(stayed, 2);
  disk.submit(away, 1);
  while (disk.scheduler.queued() > 2 || disk.scheduler.service(away).queued > 0) {
    if (disk.serve() == stayed) disk.submit(stayed);
  }
  EXPECT_EQ(disk.turns_of(away, 1000), 0);  // a second without it
  disk.submit(away, 2);
  EXPECT_NEAR(disk.turns_of(away, 20), 10, 1);
  EXPECT_NEAR(disk.turns_of(away, 1000), 500, 1);
}

TEST(Fairness, AFlowThatHadTheDiskAloneIsNotPunished) {
  FlatDisk disk;
  const NodeId early = disk.scheduler.add_flow(kRoot, 100);
  const NodeId late = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(early, 2);
  EXPECT_EQ(disk.turns_of(early, 1000), 1000);
  disk.submit(late, 2);
  EXPECT_NEAR(disk.turns_of(early, 20), 10, 1);
  EXPECT_NEAR(disk.turns_of(early, 1000), 500, 1);
}

TEST(Fairness, TheSameHoldsForAGroupThatWasAway) {
  FlatDisk disk;
  const NodeId stayed = disk.scheduler.add_flow(disk.scheduler.add_group(kRoot, 100), 1);
  const NodeId away = disk.scheduler.add_flow(disk.scheduler.add_group(kRoot, 100), 10000);
  disk.submit(stayed, 2);
  EXPECT_EQ(disk.turns_of(stayed, 1000), 1000);
  disk.submit(away, 2);
  EXPECT_NEAR(disk.turns_of(away, 20), 10, 1);
}

TEST(Fairness, ANewWeightCountsFromTheNextTurn) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100);
  const NodeId b = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(a, 2);
  disk.submit(b, 2);
  EXPECT_NEAR(disk.turns_of(a, 100), 50, 1);
  disk.scheduler.set_weight(a, 300);
  EXPECT_NEAR(disk.turns_of(a, 100), 75, 1);
  disk.scheduler.set_weight(a, 1);
  disk.scheduler.set_weight(b, 10000);
  EXPECT_LE(disk.turns_of(a, 10000), 2);
  // a's tag is a whole second of device time ahead at weight 1; at equal weights that must not count any more.
  disk.scheduler.set_weight(a, 10000);
  EXPECT_NEAR(disk.turns_of(a, 100), 50, 1);
}

}  // namespace
}  // namespace fairfs::test
