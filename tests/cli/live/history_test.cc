#include "cli/live/history.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using cli::LiveHistory;
using testing::Each;
using testing::ElementsAre;

sched::Time at(sched::Duration time) { return sched::Time{time}; }

TEST(LiveHistory, OneColumnASecond) {
  LiveHistory history;
  for (int second = 1; second <= 3; ++second) history.add("a", second * 0.1, at(second * 1s));
  const auto shares = history.shares("a", 60, at(3s));
  ASSERT_EQ(shares.size(), 60U);
  EXPECT_FLOAT_EQ(shares[57], 0.1);
  EXPECT_FLOAT_EQ(shares[58], 0.2);
  EXPECT_FLOAT_EQ(shares[59], 0.3);
  EXPECT_FLOAT_EQ(shares[56], 0);
}

TEST(LiveHistory, FewerColumnsAreMeans) {
  LiveHistory history;
  for (int second = 1; second <= 60; ++second) history.add("a", second > 45 ? 0.8 : 0.4, at(second * 1s));
  const auto shares = history.shares("a", 2, at(60s));
  EXPECT_FLOAT_EQ(shares[0], 0.4);
  EXPECT_FLOAT_EQ(shares[1], 0.6);
}

TEST(LiveHistory, ASlowRefreshFillsItsSeconds) {
  LiveHistory history;
  history.add("a", 0.2, at(10s));
  history.add("a", 0.6, at(15s));
  const auto shares = history.shares("a", 60, at(15s));
  EXPECT_FLOAT_EQ(shares[54], 0.2);
  for (int i = 55; i < 60; ++i) EXPECT_FLOAT_EQ(shares[i], 0.6);
}

TEST(LiveHistory, WhatIsOldFallsOff) {
  LiveHistory history;
  history.add("a", 1, at(10s));
  EXPECT_FLOAT_EQ(history.shares("a", 60, at(69s))[0], 1);
  EXPECT_THAT(history.shares("a", 60, at(70s)), Each(0.0));
  history.add("b", 1, at(70s));
  history.expire(at(70s));
  EXPECT_EQ(history.size(), 1U);
  history.add("b", 0.5, at(700s));  // after a long pause
  EXPECT_THAT(history.shares("b", 60, at(700s)), Each(0.5)) << "a reading speaks for the time since the last one";
  EXPECT_THAT(history.shares("unknown", 3, at(1s)), ElementsAre(0, 0, 0));
  EXPECT_TRUE(history.shares("b", 0, at(1s)).empty());
}

TEST(LiveHistory, TwoReadingsInOneSecond) {
  LiveHistory history;
  history.add("a", 0.2, at(10s));
  history.add("a", 0.4, at(10s + 500ms));
  EXPECT_FLOAT_EQ(history.shares("a", 60, at(10s + 900ms))[59], 0.4);
}

}  // namespace
}  // namespace fairfs::test
