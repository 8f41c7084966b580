// Space reserved ahead of files that grow side by side: when, how much, and what is left for others.
#include "sched/space_plan.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::FileId;
using sched::SpacePlan;
using sched::Time;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;
constexpr FileId kOne{1}, kTwo{2};

Time at(std::chrono::milliseconds time) { return Time{time}; }

/// Grows both MiB by MiB, to `size` MiB; how many times something was reserved for each, `free` bytes being free.
int reservations(SpacePlan& plan, std::uint64_t size, std::uint64_t free) {
  int count = 0;
  for (std::uint64_t end = 17; end <= size; ++end) {
    for (const FileId file : {kOne, kTwo}) {
      const auto wanted = plan.grows(file, {0, end * kMiB}, at(std::chrono::milliseconds{end}));
      if (!wanted) continue;
      const std::uint64_t bytes = plan.allowed(file, *wanted, free);
      if (bytes == 0) {
        plan.refused(file);
        continue;
      }
      plan.reserved(file, {wanted->offset, bytes});
      ++count;
    }
  }
  return count;
}

TEST(SpacePlan, AFileAloneNeedsNothing) {
  SpacePlan plan;
  for (std::uint64_t end = 17; end < 1024; ++end)
    EXPECT_FALSE(plan.grows(kOne, {0, end * kMiB}, at(std::chrono::milliseconds{end})));
  EXPECT_FALSE(plan.has_reserved(kOne));
}

TEST(SpacePlan, OneThatHasStoppedIsNobodyBeside) {
  SpacePlan plan;
  EXPECT_FALSE(plan.grows(kOne, {0, 20 * kMiB}, at(0ms)));
  EXPECT_FALSE(plan.grows(kTwo, {0, 20 * kMiB}, at(1000ms)));
  EXPECT_TRUE(plan.grows(kOne, {0, 21 * kMiB}, at(1999ms)));
}

// 17 MiB and three times that, at least 64; 81 and 243; 324 and 512 at most; 836 and 512: four parts each.
TEST(SpacePlan, TwoOfAGibibyteLieInFourPartsEach) {
  SpacePlan plan;
  EXPECT_LE(reservations(plan, 1024, 100 * 1024 * kMiB), 8);
  EXPECT_TRUE(plan.has_reserved(kOne));
}

TEST(SpacePlan, WhatIsWrittenAndNotYetOnTheDiskIsCovered) {
  SpacePlan plan;
  static_cast<void>(plan.grows(kOne, {4 * kMiB, 20 * kMiB}, at(0ms)));
  const auto wanted = plan.grows(kTwo, {8 * kMiB, 20 * kMiB}, at(1ms));
  ASSERT_TRUE(wanted);
  EXPECT_EQ(wanted->offset, 8 * kMiB);
  EXPECT_EQ(wanted->offset + wanted->bytes, (8 + 20 + 64) * kMiB);
}

TEST(SpacePlan, AnEighthOfWhatIsFreeIsTheMostForAll) {
  SpacePlan plan;
  static_cast<void>(plan.grows(kOne, {0, 100 * kMiB}, at(0ms)));
  const auto two = plan.grows(kTwo, {0, 100 * kMiB}, at(1ms));
  ASSERT_TRUE(two);
  EXPECT_EQ(plan.allowed(kTwo, *two, 8 * 250 * kMiB), (100 + 250) * kMiB);
  plan.reserved(kTwo, {0, 200 * kMiB});  // 100 of them unwritten
  const auto one = plan.grows(kOne, {0, 101 * kMiB}, at(2ms));
  ASSERT_TRUE(one);
  EXPECT_EQ(plan.allowed(kOne, *one, 8 * 250 * kMiB), (101 + 150) * kMiB);
  EXPECT_EQ(plan.allowed(kOne, *one, 8 * 163 * kMiB), 0) << "63 MiB are not worth it";
  EXPECT_EQ(plan.allowed(kOne, *one, 0), 0);
}

TEST(SpacePlan, WhoWasRefusedAsksAgainAfterHavingGrown) {
  SpacePlan plan;
  EXPECT_EQ(reservations(plan, 79, 0), 0);
  EXPECT_FALSE(plan.grows(kOne, {0, 80 * kMiB}, at(80ms)));
  static_cast<void>(plan.grows(kTwo, {0, 82 * kMiB}, at(81ms)));
  EXPECT_TRUE(plan.grows(kOne, {0, 82 * kMiB}, at(82ms)));
}

TEST(SpacePlan, IdleFilesWithoutSpaceAreForgotten) {
  SpacePlan plan;
  static_cast<void>(plan.grows(kOne, {0, 20 * kMiB}, at(0ms)));
  static_cast<void>(plan.grows(kTwo, {0, 20 * kMiB}, at(0ms)));
  plan.reserved(kTwo, {0, 84 * kMiB});
  EXPECT_TRUE(plan.take_idle(at(999ms)).empty());
  EXPECT_EQ(plan.take_idle(at(1000ms)), std::vector{kOne});
  EXPECT_TRUE(plan.has_reserved(kTwo));
  plan.forget(kTwo);
  EXPECT_FALSE(plan.has_reserved(kTwo));
}

}  // namespace
}  // namespace fairfs::test
