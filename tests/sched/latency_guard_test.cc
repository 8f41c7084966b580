#include "sched/latency_guard.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::LatencyGuard;
using sched::Time;

class Guard : public testing::Test {
 protected:
  /// A second of 64 requests, `late` of them over the target, the others' slots all taken.
  void second(int late) {
    for (int i = 0; i < 64; ++i) guard.ended(i < late ? 6ms : 4ms, true, now += 15625us);
  }
  LatencyGuard guard{5ms, 16};
  Time now{100s};
};

TEST_F(Guard, OthersHaveAllWhileThePromiseIsKept) {
  second(3);
  EXPECT_EQ(guard.allowed(now), 16U);
}

TEST_F(Guard, HalfForEachFourThatAreLate) {
  for (int i = 0; i < 4; ++i) guard.ended(6ms, true, now);
  EXPECT_EQ(guard.allowed(now), 8U);
  second(64);
  EXPECT_EQ(guard.allowed(now), 1U);
}

TEST_F(Guard, OneMoreAfterAGoodLookAndLaterIfThatWasTooMany) {
  second(64);
  EXPECT_EQ(guard.allowed(now), 1U);
  int late = 0;
  for (int i = 0; i < 200; ++i) {
    for (int request = 0; request < 64; ++request) {
      const bool over = guard.allowed(now) > 1;
      late += over ? 1 : 0;
      guard.ended(over ? 6ms : 4ms, true, now += 15625us);
    }
  }
  // Trials after 1, 2, 4 ... 64 good looks: eight or nine of them, four late requests each.
  EXPECT_GE(late, 7 * 4);
  EXPECT_LE(late, 9 * 4);
}

TEST_F(Guard, AnIdleNodeStandsInNobodysWay) {
  second(64);
  EXPECT_EQ(guard.allowed(now + 1s), 16U);
  guard.ended(4ms, false, now + 1s);
  EXPECT_EQ(guard.allowed(now + 1s), 1U);
}

}  // namespace
}  // namespace fairfs::test
