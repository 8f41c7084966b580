// Injection: no more than the flow that the disk is held for bears.
#include "sched/injection.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Injection;
using sched::Time;

class InjectionTest : public testing::Test {
 protected:
  void alone(int requests, sched::Duration service = 10ms) {
    for (; requests > 0; --requests) flow.ended(service, false, now);
  }
  void verdict(sched::Duration service) {
    for (std::uint32_t i = 0; i < sched::kInjectionSamples; ++i) flow.ended(service, true, now);
  }

  Injection flow;
  Time now{1s};
};

TEST_F(InjectionTest, NothingBeforeTheBaselineIsKnown) {
  EXPECT_FALSE(flow.admits(0ms, now));
  alone(7);
  EXPECT_FALSE(flow.admits(0ms, now));
  alone(1);
  EXPECT_TRUE(flow.admits(0ms, now));
  EXPECT_EQ(flow.baseline(), 10ms);
}

TEST_F(InjectionTest, NothingThatIsExpectedToCostHalfAgain) {
  alone(8);
  EXPECT_TRUE(flow.admits(5ms, now));
  EXPECT_FALSE(flow.admits(5'001us, now));
}

TEST_F(InjectionTest, OneAndAHalfTimesTheBaselineIsBorneAndNoMore) {
  alone(8);
  verdict(15ms);
  EXPECT_TRUE(flow.admits(0ms, now));
  verdict(16ms);
  EXPECT_FALSE(flow.admits(0ms, now));
  EXPECT_FALSE(flow.admits(0ms, now + 49ms));
  EXPECT_TRUE(flow.admits(0ms, now + 50ms));
}

TEST_F(InjectionTest, EachTrialThatFailsIsFollowedByALongerPause) {
  alone(8);
  for (const auto pause : {50ms, 100ms, 200ms, 400ms, 800ms, 1600ms, 2000ms}) {
    verdict(30ms);
    EXPECT_FALSE(flow.admits(0ms, now + pause - 1ms));
    now += pause;
    EXPECT_TRUE(flow.admits(0ms, now));
    alone(8);  // whichever are due for a look at the baseline
  }
}

TEST_F(InjectionTest, TheBaselineIsLookedAtAgain) {
  alone(8);
  for (std::uint32_t i = 0; i < sched::kInjectionSamples; ++i) {
    EXPECT_TRUE(flow.admits(0ms, now));
    verdict(12ms);
  }
  EXPECT_FALSE(flow.admits(0ms, now));
  alone(8, 20ms);
  EXPECT_TRUE(flow.admits(0ms, now));
  EXPECT_GT(flow.baseline(), 12ms);
}

TEST_F(InjectionTest, OnlyTheRequestAfterItIsCompared) {
  EXPECT_FALSE(flow.started());
  flow.injected();
  EXPECT_TRUE(flow.started());
  EXPECT_FALSE(flow.started());
}

}  // namespace
}  // namespace fairfs::test
