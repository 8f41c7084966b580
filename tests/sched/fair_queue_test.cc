// One group's queue, and the integers under it, at the ends of their ranges.
#include "sched/fair_queue.h"

#include <gtest/gtest.h>

#include <array>

#include "sched/virtual_time.h"

namespace fairfs::test {
namespace {

using sched::FairQueue;
using sched::Nodes;
using sched::Tag;

constexpr Tag kNanosecond = Tag{1} << sched::kTagFractionBits;

TEST(VirtualTime, DivisionsLoseNothingInTheLongRun) {
  std::uint64_t remainder = 0;
  Tag third = 0;
  for (int i = 0; i < 3'000'000; ++i) third += sched::advance_of(1, 3, remainder);
  EXPECT_TRUE(third == 1'000'000 * kNanosecond);
  Tag heavy = 0;
  for (int i = 0; i < 10'000; ++i) heavy += sched::advance_of(1'000, 10'000, remainder = 0);
  EXPECT_TRUE(heavy == 10'000 * Tag{104'857});  // 1 us at weight 10,000 is still a hundred thousand units
}

TEST(VirtualTime, OneBitOfWeightSumIsNeverLost) {
  std::uint64_t remainder = 0;
  Tag sum = 0;
  constexpr std::uint64_t kWeights = 100'000ULL * 10'000;  // a hundred thousand flows of the largest weight
  for (std::uint64_t i = 0; i < 1'000'000; ++i) sum += sched::advance_of(1'000, kWeights, remainder);
  EXPECT_TRUE(sum == kNanosecond);
}

Nodes two_children(sched::Weight first, sched::Weight second, Tag start) {
  Nodes nodes;
  nodes.node.resize(2);
  nodes.places.resize(2);
  nodes.node[0].weight = first;
  nodes.node[1].weight = second;
  nodes.node[0].start = nodes.node[1].start = start;
  return nodes;
}

/// Device time each gets from a queue of both, in ns.
std::array<std::uint64_t, 2> serve(FairQueue& queue, Nodes& nodes, std::array<std::uint64_t, 2> costs, int turns) {
  std::array<std::uint64_t, 2> received{};
  for (const std::uint32_t child : {0U, 1U}) queue.set_cost(nodes, child, costs[child]);
  while (turns-- > 0) {
    const std::uint32_t child = queue.best();
    received[child] += costs[child];
    queue.serve(nodes, child, costs[child], costs[child]);
  }
  return received;
}

// 1024 slots at weight 1 for 34 years: V stands at 2^90. The next decisions are as exact as the first.
TEST(FairQueue, DecidesAfterDecadesAsOnTheFirstDay) {
  for (const Tag start : {Tag{0}, Tag{1} << 90}) {
    FairQueue queue;
    Nodes nodes = two_children(1, 10'000, start);
    const auto received = serve(queue, nodes, {1'000, 1'000}, 10'001 * 10);
    EXPECT_EQ(received[0], 10U * 1'000);
    EXPECT_EQ(received[1], 100'000U * 1'000);
    EXPECT_TRUE(queue.virtual_time() - start == 10 * 1'000 * kNanosecond);
  }
}

TEST(FairQueue, TheLargestCostsBesideTheSmallestStayFair) {
  FairQueue queue;
  Nodes nodes = two_children(1, 10'000, 0);
  const auto received = serve(queue, nodes, {1, sched::kCostMax * 2}, 1'000'000);
  // |s0/1 - s1/10000| <= 2 (1/1 + 2 kCostMax/10000)
  EXPECT_NEAR(static_cast<double>(received[0]), static_cast<double>(received[1]) / 10'000,
              2 * (1 + static_cast<double>(sched::kCostMax) * 2 / 10'000));
}

// One request of 100 ms by a child of weight 1 beside two of weight 100 with 1 ms: V would step 100/201 ms ahead and
// leave the child that had to wait 50 of its own requests behind; a newcomer at V would watch it catch up. Held to F,
// it is one.
TEST(FairQueue, ANewcomerDoesNotWaitForOthersToCatchUp) {
  FairQueue queue;
  Nodes nodes;
  nodes.node.resize(3);
  nodes.places.resize(3);
  nodes.node[1].weight = nodes.node[2].weight = 100;
  nodes.node[0].weight = 1;
  constexpr std::uint64_t kMillisecond = 1'000'000;
  queue.set_cost(nodes, 0, 100 * kMillisecond);
  queue.serve(nodes, 0, 100 * kMillisecond, 100 * kMillisecond);
  queue.set_cost(nodes, 1, kMillisecond);
  queue.serve(nodes, 0, 100 * kMillisecond, 100 * kMillisecond);  // a deadline brought it forward
  queue.set_cost(nodes, 2, kMillisecond);
  std::array<int, 3> turns{};
  for (int turn = 0; turn < 20; ++turn) {
    const std::uint32_t child = queue.best();
    ++turns[child];
    queue.serve(nodes, child, kMillisecond, kMillisecond);
  }
  EXPECT_EQ(turns[0], 0);
  EXPECT_NEAR(turns[1], turns[2], 2);
}

// A deadline took the light child far ahead. While the heavy one is away nobody is left but the light one, and V jumps
// to it, past the heavy one. Another heavy child that comes then has its half at once; it waited for as long as the
// first one took to catch up, 1,500 of its requests.
TEST(FairQueue, WhoComesWhenTheVirtualTimeHasJumpedStartsBesideThoseItLeftBehind) {
  constexpr std::uint64_t kMillisecond = 1'000'000;
  Nodes nodes;
  nodes.node.resize(3);
  nodes.places.resize(3);
  nodes.node[0].weight = nodes.node[2].weight = 4000;
  nodes.node[1].weight = 2;
  FairQueue queue;
  queue.set_cost(nodes, 0, 16 * kMillisecond);
  queue.set_cost(nodes, 1, 12 * kMillisecond);
  queue.serve(nodes, 1, 12 * kMillisecond, 12 * kMillisecond);
  queue.serve(nodes, 0, 16 * kMillisecond, 0, true);
  EXPECT_EQ(queue.best(), 1U);
  queue.set_cost(nodes, 0, 16 * kMillisecond);
  queue.set_cost(nodes, 2, 16 * kMillisecond);
  std::array<int, 3> turns{};
  for (int i = 0; i < 100; ++i) {
    const std::uint32_t child = queue.best();
    ++turns[child];
    queue.serve(nodes, child, 16 * kMillisecond, 16 * kMillisecond);
  }
  EXPECT_NEAR(turns[0], 50, 2);
  EXPECT_NEAR(turns[2], 50, 2);
}

// Two that return at once by turns would go further back with each claim, and newcomers with them, before whoever has
// been there all the time (seeds 6277, 6607, 7512 and 9513 of mixes_test.cc).
TEST(FairQueue, AClaimIsTheReturningFlowsOnly) {
  Nodes nodes;
  nodes.node.resize(4);
  nodes.places.resize(4);
  FairQueue queue;
  queue.set_cost(nodes, 0, 10);
  for (int i = 0; i < 100; ++i) queue.serve(nodes, 0, 10, 10);
  const Tag now = queue.virtual_time();
  const auto units = [&](std::uint64_t ns) {
    std::uint64_t nothing_carried = 0;
    return sched::advance_of(ns, nodes.node[0].weight, nothing_carried);
  };
  queue.set_cost(nodes, 1, 10, 500);
  EXPECT_TRUE(nodes.node[1].start == now - units(500));
  queue.set_cost(nodes, 2, 10);
  EXPECT_TRUE(nodes.node[2].start == now) << "without a claim";
  queue.set_cost(nodes, 3, 10, 200);
  EXPECT_TRUE(nodes.node[3].start == now - units(200)) << "not on top of the other's";
}

}  // namespace
}  // namespace fairfs::test
