#include "sched/engine/flow.h"

#include <gtest/gtest.h>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using engine::Flow;

sched::Time at(sched::Duration time) { return sched::Time{time}; }

TEST(Flow, IsStarvedWhileItWaitsOverASecondWithNothingStarted) {
  Flow flow{1, "leaf"};
  flow.submitted(at(10s));
  flow.submitted(at(10s));
  EXPECT_EQ(flow.counted(at(11s)).starved, 0s);
  EXPECT_EQ(flow.counted(at(11s + 250ms)).starved, 250ms);
  flow.dispatched(2s, at(12s));
  EXPECT_EQ(flow.counted(at(12s)).starved, 1s);
  // From here on it is the second one that waits.
  EXPECT_EQ(flow.counted(at(13s)).starved, 1s);
  flow.dispatched(3s + 100ms, at(13s + 100ms));
  EXPECT_EQ(flow.counted(at(20s)).starved, 1s + 100ms) << "what is in the disk doesn't starve";
}

TEST(Flow, WhoGivesUpWasStarvedToo) {
  Flow flow{1, "leaf"};
  flow.submitted(at(10s));
  flow.cancelled(at(13s));
  EXPECT_EQ(flow.counted(at(100s)).starved, 2s);
}

}  // namespace
}  // namespace fairfs::test
