#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>

#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

using engine::Event;

/// Opens when `count` callers stand in front of it.
class Meeting {
 public:
  explicit Meeting(int count) : missing_(count) {}
  ssize_t come() {
    std::unique_lock lock{mutex_};
    if (--missing_ == 0) complete_.notify_all();
    return complete_.wait_for(lock, kPatience, [this] { return missing_ <= 0; }) ? 0 : -ETIMEDOUT;
  }

 private:
  std::mutex mutex_;
  std::condition_variable complete_;
  int missing_;
};

TEST_F(EngineTest, SubmitOnlyQueues) {
  engine::Engine& engine = start(4);
  submit(kHeavy);
  EXPECT_EQ(engine.snapshot().queued, 1u);
  EXPECT_TRUE(record_.order().empty());
}

TEST_F(EngineTest, AloneItRunsOnTheCallingThread) {
  engine::Engine& engine = start(4);
  for (int i = 0; i < 10; ++i) {
    submit(kHeavy);
    engine.run();
    ASSERT_EQ(record_.answers().size(), static_cast<std::size_t>(i + 1));
  }
  for (const std::thread::id id : record_.threads()) EXPECT_EQ(id, std::this_thread::get_id());
}

TEST_F(EngineTest, ACallingThreadGoesOnWithWhatItIsGiven) {
  engine::Engine& engine = start(1);
  for (int i = 0; i < 10; ++i) submit(kHeavy);
  engine.run();
  EXPECT_EQ(record_.answers().size(), 10u);  // depth 1: one after the other, all here
  for (const std::thread::id id : record_.threads()) EXPECT_EQ(id, std::this_thread::get_id());
}

TEST_F(EngineTest, FurtherBlockingWorkStartsBeforeTheCallingThreadBlocks) {
  engine::Engine& engine = start(3);
  Meeting meeting{3};
  for (int i = 0; i < 3; ++i) submit(kHeavy, [&] { return meeting.come(); });
  engine.run();
  engine.drain();
  for (const Record::Answer& answer : record_.answers()) EXPECT_EQ(answer.result, 0);
  const auto threads = record_.threads();
  EXPECT_EQ(std::count(threads.begin(), threads.end(), std::this_thread::get_id()), 1);
}

TEST_F(EngineTest, KickNeverRunsAJobOnTheCallingThread) {
  engine::Engine& engine = start(4);
  submit(kHeavy);
  engine.kick();
  ASSERT_TRUE(record_.wait_for_answers(1));
  EXPECT_NE(record_.threads().at(0), std::this_thread::get_id());
}

TEST_F(EngineTest, DepthIsNeverExceeded) {
  engine::Engine& engine = start(2);
  std::atomic<int> now{0}, most{0};
  for (int i = 0; i < 200; ++i)
    submit(kHeavy, [&]() -> ssize_t {
      const int running = ++now;
      for (int known = most; running > known && !most.compare_exchange_weak(known, running);) continue;
      std::this_thread::yield();
      --now;
      return 1;
    });
  engine.run();
  engine.drain();
  EXPECT_EQ(record_.answers().size(), 200u);
  EXPECT_LE(most, 2);
}

TEST_F(EngineTest, OffStartsAllAtOnce) {
  proc_ = folder_.path("proc");
  engine::EngineConfig config;
  config.scheduler.policy = sched::Policy::off;
  config.scheduler.profile.depth = 1;
  config.proc = proc_.c_str();
  engine_ = std::make_unique<engine::Engine>(std::move(config));
  Meeting meeting{40};
  for (int i = 0; i < 40; ++i) submit(kHeavy, [&] { return meeting.come(); });
  engine_->kick();
  engine_->drain();
  for (const Record::Answer& answer : record_.answers()) EXPECT_EQ(answer.result, 0);
}

TEST_F(EngineTest, TheDestructorFinishesWhatIsQueued) {
  start(2).hold(true);
  for (int i = 0; i < 50; ++i) submit(kHeavy, [] { return -EIO; });
  engine_.reset();
  ASSERT_EQ(record_.answers().size(), 50u);
  for (const Record::Answer& answer : record_.answers()) EXPECT_EQ(answer.result, -EIO);
}

TEST_F(EngineTest, HeldItStartsNothing) {
  engine::Engine& engine = start(16);
  engine.hold(true);
  for (int i = 0; i < 1000; ++i) submit(kHeavy);
  engine.run();
  engine.kick();
  const engine::Snapshot held = engine.snapshot();
  EXPECT_EQ(held.queued, 1000u);
  EXPECT_EQ(held.in_flight, 0u);
  EXPECT_EQ(held.decisions, 0u);
  EXPECT_TRUE(record_.order().empty());
  engine.hold(false);
  engine.drain();
  EXPECT_EQ(record_.answers().size(), 1000u);
}

TEST_F(EngineTest, ManyThreadsSubmitRunCountAndLook) {
  engine::Engine& engine = start(4);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const pid_t caller = i % 2 == 0 ? kHeavy : kLight;
      for (int n = 0; n < 500; ++n) {
        auto job = std::make_unique<TestJob>(record_, caller, [] { return 4096; });
        job->offset = static_cast<std::uint64_t>(n) << 20;
        engine.submit(std::move(job));
        engine.count({.thread = caller}, Event::metadata);
        engine.run();
        if (n % 100 == 0) (void)engine.snapshot();
        if (n % 100 == 50) engine.set_rules({.rules = {weigh("heavy", static_cast<sched::Weight>(n + 1))}});
      }
    });
  for (std::thread& thread : threads) thread.join();
  engine.drain();
  const engine::Snapshot all = engine.snapshot();
  EXPECT_EQ(all.decisions, 2000u);
  ASSERT_EQ(all.flows.size(), 2u);
  for (const engine::FlowReading& flow : all.flows) {
    EXPECT_EQ(flow.counters.reads, 1000u);
    EXPECT_EQ(flow.counters.read_bytes, 1000u * 4096);
    EXPECT_EQ(flow.counters.metadata, 1000u);
  }
}

}  // namespace
}  // namespace fairfs::test
