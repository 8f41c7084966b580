// A single head that takes less, or more, for a flow's random requests than the model says: the flow is charged that.
#include "sched/head_time.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <variant>

#include "sched/scheduler.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Duration;
using sched::HeadTime;
using sched::kRoot;
using sched::NodeId;
using sched::Operation;
using sched::Time;
using sched::Unsettled;

TEST(HeadTime, OneAfterTheOther) {
  HeadTime head(true);
  EXPECT_EQ(head.ended(Time{10ms}, Time{18ms}), 8ms) << "the disk was empty";
  EXPECT_EQ(head.ended(Time{10ms}, Time{21ms}), 3ms) << "it waited for the first";
  EXPECT_EQ(head.ended(Time{15ms}, Time{21ms}), 0ms) << "told of at the same moment";
  EXPECT_EQ(head.ended(Time{40ms}, Time{52ms}), 12ms);
}

TEST(HeadTime, DisturbedByWhatACacheHasTakenYet) {
  HeadTime head(true);
  EXPECT_FALSE(head.disturbed(Time{1s}));
  head.cached(Time{1s});
  EXPECT_TRUE(head.disturbed(Time{1s + 199ms}));
  EXPECT_FALSE(head.disturbed(Time{1s + 200ms}));
}

TEST(HeadTime, TheDifferenceGoesIntoTheNextCharges) {
  Unsettled flow;
  flow.add(4ms, 10'000'000);
  flow.add(3ms, 10'000'000);
  EXPECT_EQ(flow.charge(10'000'000), 2'500'000U) << "13 ms less, but a quarter at least";
  flow.settle(10'000'000);
  EXPECT_EQ(flow.charge(10'000'000), 4'500'000U);
  flow.settle(10'000'000);
  EXPECT_EQ(flow.charge(10'000'000), 10'000'000U);
  flow.add(100ms, 10'000'000);
  EXPECT_EQ(flow.charge(10'000'000), 40'000'000U) << "four times at most";
}

TEST(HeadTime, ADiskThatHangsIsNotTheFlowsFault) {
  Unsettled flow;
  flow.add(1h, 10'000'000);
  flow.add(1h, 10'000'000);
  std::uint64_t settled = 0;
  for (int i = 0; i < 100; ++i) {
    settled += flow.charge(10'000'000) - 10'000'000;
    flow.settle(10'000'000);
  }
  EXPECT_EQ(Duration{settled}, sched::kServiceMax);
}

/// One flow of two requests at a time on a head for which the model says 10 ms a random request.
class OneHead {
 public:
  explicit OneHead(const sched::Features& features = {}, Operation operation = Operation::read, Duration write = 10ms)
      : scheduler_(config(features, write)), flow_(scheduler_.add_flow(kRoot, 100)), operation_(operation) {
    submit();
    submit();
  }
  /// `n` requests that take `each`; `sequential`: each continues the last one.
  void serve(int n, Duration each, bool sequential = false) {
    sequential_ = sequential;
    for (; n > 0; --n) {
      start();
      now_ += each;
      scheduler_.complete(in_disk_.front(), now_);
      in_disk_.pop_front();
      submit();
    }
    start();
  }
  [[nodiscard]] Duration charged() const { return scheduler_.service(flow_).device_time; }

 private:
  static sched::SchedulerConfig config(const sched::Features& features, Duration write) {
    sched::SchedulerConfig config;
    config.profile.parallelism = 1.1;
    config.profile.idle = true;
    config.profile.best_streams = 1;
    config.profile.switch_cost = 12ms;
    config.profile.read = {1ms, 10ms, 1'000'000'000'000};
    config.profile.write = {1ms, write, 1'000'000'000'000};
    config.features = features;
    config.features.cost_correction = false;
    return config;
  }
  void start() {
    for (;;) {
      const sched::Decision decision = scheduler_.next(now_);
      if (std::holds_alternative<sched::Sleep>(decision)) return;
      in_disk_.push_back(std::get<sched::Dispatch>(decision).id);
    }
  }
  void submit() {
    offset_ += sequential_ ? 4096 : 1 << 30;
    scheduler_.submit({.flow = flow_, .operation = operation_, .offset = offset_, .bytes = 4096}, now_);
  }

  sched::Scheduler scheduler_;
  NodeId flow_;
  Operation operation_;
  Time now_{1s};
  std::uint64_t offset_ = 0;
  bool sequential_ = false;
  std::deque<sched::RequestId> in_disk_;
};

// What two requests may be charged above what they take: 40 ms each.
constexpr std::int64_t kTolerance = 80'000'000;

TEST(HeadTime, AFlowIsChargedWhatItTook) {
  for (const Duration each : {Duration{4ms}, Duration{10ms}, Duration{25ms}}) {
    OneHead disk;
    disk.serve(100, each);
    EXPECT_NEAR(static_cast<double>(disk.charged().count()), static_cast<double>((100 * each).count()), kTolerance);
  }
}

TEST(HeadTime, WithoutItTheModelIsCharged) {
  sched::Features by_model;
  by_model.head_time = false;
  OneHead disk(by_model);
  disk.serve(100, 4ms);
  EXPECT_NEAR(static_cast<double>(disk.charged().count()), 1e9, kTolerance);
}

TEST(HeadTime, AStreamIsChargedByTheModel) {
  OneHead disk;
  disk.serve(100, 4ms, true);
  EXPECT_NEAR(static_cast<double>(disk.charged().count()), 100e6, kTolerance);
}

// They end at once; the head has the work later, under others' requests.
TEST(HeadTime, WritesThatACacheTakesAreChargedByTheModel) {
  OneHead disk({}, Operation::write, 2ms);
  disk.serve(100, 50us);
  EXPECT_NEAR(static_cast<double>(disk.charged().count()), 200e6, kTolerance);
}

}  // namespace
}  // namespace fairfs::test
