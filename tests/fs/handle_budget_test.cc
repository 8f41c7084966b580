// How many open files each user gets.
#include "fs/handle_budget.h"

#include <gtest/gtest.h>

#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "fs/descriptor_plan.h"

namespace fairfs::fs {
namespace {

constexpr uid_t kRoot = 0, kOwner = 500, kAlice = 1000, kBob = 1001;

/// As many seats as the user can get.
std::vector<HandleSeat> take_all(HandleBudget& budget, uid_t user) {
  std::vector<HandleSeat> seats;
  for (;;) {
    HandleSeat seat = budget.take(user);
    if (!seat) return seats;
    seats.push_back(std::move(seat));
  }
}

TEST(HandleBudget, OneUserStopsAtHalfOfWhatIsNotRoots) {
  HandleBudget budget{800, kRoot};
  const auto seats = take_all(budget, kAlice);
  EXPECT_EQ(seats.size(), 350U);  // 100 are root's alone
  EXPECT_EQ(budget.taken_by(kAlice), 350U);
}

TEST(HandleBudget, EachFurtherUserGetsHalfOfTheRestAndRootAllOfIt) {
  HandleBudget budget{800, kRoot};
  const auto alices = take_all(budget, kAlice);
  const auto bobs = take_all(budget, kBob);
  EXPECT_EQ(bobs.size(), 175U);
  const auto roots = take_all(budget, kRoot);
  EXPECT_EQ(roots.size(), 800U - 350 - 175);
  EXPECT_EQ(budget.taken(), 800U);
}

// Who has more than the share that is right among so many stops until they have given back.
TEST(HandleBudget, GreedyUsersComeToEqualParts) {
  HandleBudget budget{800, kRoot};
  std::vector<HandleSeat> held[2] = {take_all(budget, kAlice), {}};
  for (int round = 0; round < 2000; ++round) {
    const int who = round % 2;
    if (!held[who].empty()) held[who].pop_back();
    for (int tries = 0; tries < 2; ++tries) {
      HandleSeat seat = budget.take(who == 0 ? kAlice : kBob);
      if (seat) held[who].push_back(std::move(seat));
    }
  }
  EXPECT_NEAR(static_cast<double>(held[0].size()), 700.0 / 3, 2);
  EXPECT_NEAR(static_cast<double>(held[1].size()), 700.0 / 3, 2);
}

TEST(HandleBudget, TheDaemonsUserIsAsRoot) {
  HandleBudget budget{800, kOwner};
  EXPECT_EQ(take_all(budget, kOwner).size(), 800U);
}

TEST(HandleBudget, WhatIsGivenBackIsThere) {
  HandleBudget budget{800, kRoot};
  for (int round = 0; round < 3; ++round) EXPECT_EQ(take_all(budget, kAlice).size(), 350U);
  EXPECT_EQ(budget.taken(), 0U);
  EXPECT_EQ(budget.taken_by(kAlice), 0U);
}

TEST(HandleBudget, NoneIsLeftBehindByMovedSeats) {
  HandleBudget budget{8, kRoot};
  {
    HandleSeat first = budget.take(kAlice);
    const HandleSeat second{std::move(first)};
    EXPECT_EQ(budget.taken(), 1U);
  }
  EXPECT_EQ(budget.taken(), 0U);
}

TEST(HandleBudget, ThreadsLoseNoSeat) {
  HandleBudget budget{64, kRoot};
  const auto work = [&budget](unsigned seed) {
    std::minstd_rand random{seed};
    std::vector<HandleSeat> held;
    for (int round = 0; round < 20000; ++round) {
      if (random() % 2 == 0 && !held.empty())
        held.pop_back();
      else if (HandleSeat seat = budget.take(kAlice + seed); seat)
        held.push_back(std::move(seat));
    }
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(budget.taken(), 0U);
}

TEST(DescriptorPlan, LendsWhatOthersLeave) {
  const DescriptorPlan plan = DescriptorPlan::of(20000);  // 2,500 lent, 5,000 kept, 512 in reserve, 5,994 handles
  EXPECT_EQ(plan.spare(0, 0), (2 * 5994 + 5000) / 8 * 7);
  EXPECT_EQ(plan.spare(5994, 0), 5000U / 8 * 7);
  EXPECT_EQ(plan.spare(5994, 5000), 0U);
  EXPECT_EQ(plan.spare(7000, 6000), 0U);  // more than planned is not less than nothing
  const DescriptorPlan large = DescriptorPlan::of(1U << 20);
  EXPECT_EQ(large.lent + large.spare(0, 0), DescriptorPlan::kLentMost);
}

TEST(DescriptorPlan, FitsEveryLimit) {
  for (const std::size_t limit : {512UL, 1024UL, 4096UL, 20000UL, 1UL << 20, 1UL << 30}) {
    const DescriptorPlan plan = DescriptorPlan::of(limit);
    EXPECT_LE(plan.lent + plan.kept + plan.reserve + 2 * plan.handles, limit);
    EXPECT_GE(plan.handles, limit / 6) << limit;
    EXPECT_GE(plan.reserve, std::min<std::size_t>(limit / 4, 512));
    EXPECT_LE(plan.lent, 65536U);
  }
  EXPECT_EQ(DescriptorPlan::of(4096).handles, (4096U - 512 - 1024 - 512) / 2);
  EXPECT_EQ(DescriptorPlan::of(100).handles, 0U);
}

}  // namespace
}  // namespace fairfs::fs
