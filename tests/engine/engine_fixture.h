// An engine over a made-up /proc, jobs that do what the test says, and a record of what became of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sched/engine/engine.h"
#include "tests/engine/temporary_folder.h"

namespace fairfs::test {

using std::chrono_literals::operator""s;
using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""us;
using std::chrono_literals::operator""ns;

/// Longest that a test waits for what must happen. Never reached unless the test fails.
constexpr std::chrono::seconds kPatience{20};

/// Waits until `happened`, looking every few milliseconds; false when patience is at its end.
inline bool eventually(const std::function<bool()>& happened) {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock{mutex};
  const auto end = std::chrono::steady_clock::now() + kPatience;
  while (!happened()) {
    if (std::chrono::steady_clock::now() > end) return false;
    never.wait_for(lock, 2ms);
  }
  return true;
}

/// What ran and what was answered, in order.
class Record {
 public:
  struct Answer {
    pid_t thread;
    ssize_t result;
  };
  void ran(pid_t caller) {
    const std::lock_guard lock{mutex_};
    ran_.push_back(caller);
    on_.push_back(std::this_thread::get_id());
  }
  void answered(pid_t caller, ssize_t result) {
    const std::lock_guard lock{mutex_};
    answers_.push_back({caller, result});
    changed_.notify_all();
  }
  [[nodiscard]] bool wait_for_answers(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, kPatience, [&] { return answers_.size() >= count; });
  }
  [[nodiscard]] std::vector<pid_t> order() const {
    const std::lock_guard lock{mutex_};
    return ran_;
  }
  [[nodiscard]] std::vector<std::thread::id> threads() const {
    const std::lock_guard lock{mutex_};
    return on_;
  }
  [[nodiscard]] std::vector<Answer> answers() const {
    const std::lock_guard lock{mutex_};
    return answers_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<pid_t> ran_;
  std::vector<std::thread::id> on_;
  std::vector<Answer> answers_;
};

class TestJob : public engine::Job {
 public:
  TestJob(Record& record, pid_t thread, std::function<ssize_t()> body) : record_(record), body_(std::move(body)) {
    caller.thread = thread;
    bytes = 4096;
  }
  ssize_t run() noexcept override {
    record_.ran(caller.thread);
    return body_();
  }
  void finish(ssize_t result) noexcept override { record_.answered(caller.thread, result); }

 protected:
  Record& record_;
  std::function<ssize_t()> body_;
};

class EngineTest : public testing::Test {
 protected:
  static constexpr pid_t kHeavy = 101, kLight = 102;

  EngineTest() {
    process(kHeavy, "heavy", "/heavy");
    process(kLight, "light", "/light");
  }
  void process(pid_t pid, const std::string& command, const std::string& cgroup) {
    const std::string folder = "proc/" + std::to_string(pid);
    folder_.write(folder + "/status",
                  "Tgid:\t" + std::to_string(pid) + "\nUid:\t0\t0\t0\t0\nVmSize:\t1 kB\nThreads:\t1\n");
    folder_.write(folder + "/stat",
                  std::to_string(pid) + " (" + command + ") S 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 9 0\n");
    folder_.write(folder + "/cgroup", "0::" + cgroup + "\n");
  }
  engine::Engine& start(std::uint32_t depth, engine::Grouping grouping = engine::Grouping::process,
                        std::vector<engine::WeightRule> rules = {}) {
    proc_ = folder_.path("proc");
    engine::EngineConfig config;
    config.scheduler.profile.depth = depth;
    config.grouping = grouping;
    config.rules.rules = std::move(rules);
    config.proc = proc_.c_str();
    engine_ = std::make_unique<engine::Engine>(std::move(config));
    return *engine_;
  }
  static engine::WeightRule weigh(const std::string& command, sched::Weight weight) {
    engine::WeightRule rule;
    rule.command = command;
    rule.weight = weight;
    return rule;
  }
  void submit(
      pid_t thread, std::function<ssize_t()> body = [] { return 4096; }) {
    auto job = std::make_unique<TestJob>(record_, thread, std::move(body));
    job->offset = next_offset_ += 1 << 30;  // all random: all cost the same
    engine_->submit(std::move(job));
  }
  /// Queues `count` jobs of each of the two, lets them go together, and says how many of the first forty were heavy's.
  long heavy_of_first_forty(const std::function<void()>& before_letting_go = [] {}) {
    engine_->hold(true);
    for (int i = 0; i < 40; ++i) {
      submit(kHeavy);
      submit(kLight);
    }
    before_letting_go();
    engine_->hold(false);
    engine_->drain();
    const std::vector<pid_t> order = record_.order();
    EXPECT_EQ(order.size(), 80u);
    return std::count(order.begin(), order.begin() + 40, kHeavy);
  }

  TemporaryFolder folder_;
  Record record_;
  std::string proc_;
  std::uint64_t next_offset_ = 0;
  std::unique_ptr<engine::Engine> engine_;
};

}  // namespace fairfs::test
