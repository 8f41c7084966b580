#include "sched/engine/callers.h"

#include <gtest/gtest.h>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using engine::Caller;
using engine::Process;

/// Every thread is a process of its own, whose cgroup and command the test may change.
class MadeUpProcesses final : public engine::ProcessTable {
 public:
  Process find(pid_t thread) const override {
    ++looks;
    if (thread == 0) return engine::nobody(Process::Kind::kernel);
    Process process;
    process.pid = thread;
    process.command = command;
    process.cgroup = cgroup;
    return process;
  }
  std::string executable(pid_t) const override {
    ++executables;
    return "/usr/bin/fio";
  }
  bool exists(pid_t) const override { return true; }
  bool dying(pid_t, pid_t) const override { return false; }

  std::string command = "fio", cgroup = "/a";
  mutable unsigned looks = 0, executables = 0;
};

class CallersOf : public testing::Test {
 protected:
  static std::shared_ptr<const engine::Placer> placer(std::vector<engine::WeightRule> rules = {}) {
    return std::make_shared<const engine::Placer>(engine::Grouping::cgroup,
                                                  engine::WeightRules{.rules = std::move(rules)},
                                                  std::make_shared<engine::CgroupWeights>(engine::CgroupMount{}));
  }
  MadeUpProcesses processes_;
  sched::Scheduler scheduler_{{}};
  engine::FlowMap flows_{scheduler_};
  std::mutex mutex_;
  engine::Callers callers_{processes_, placer(), flows_, mutex_};
};

TEST_F(CallersOf, OneSecondHoldsAnAnswer) {
  const auto first = callers_.flow_of({.thread = 5}, sched::Time{10s});
  EXPECT_EQ(callers_.flow_of({.thread = 5}, sched::Time{11s} - 1ns), first);
  EXPECT_EQ(processes_.looks, 1u);
  processes_.command = "sh";  // exec
  EXPECT_EQ(callers_.flow_of({.thread = 5}, sched::Time{11s}), first);
  EXPECT_EQ(processes_.looks, 2u);
  EXPECT_EQ(first->name, "sh[5]");
  processes_.cgroup = "/b";
  EXPECT_NE(callers_.flow_of({.thread = 5}, sched::Time{12s}), first);
}

TEST_F(CallersOf, CountingUsesTheSameAnswers) {
  for (int i = 0; i < 100; ++i)
    callers_.with_flow({.thread = 5}, sched::Time{10s}, [](auto& flow) { ++flow.metadata; });
  EXPECT_EQ(processes_.looks, 1u);
  EXPECT_EQ(callers_.flow_of({.thread = 5}, sched::Time{10s})->metadata, 100u);
}

TEST_F(CallersOf, ExeIsReadOnlyForARuleThatNamesIt) {
  (void)callers_.flow_of({.thread = 5}, sched::Time{10s});
  EXPECT_EQ(processes_.executables, 0u);
  engine::WeightRule rule;
  rule.exe = "/usr/bin/fio";
  rule.weight = 700;
  callers_.set_placer(placer({rule}));
  EXPECT_EQ(callers_.flow_of({.thread = 5}, sched::Time{10s})->weight, 700);
  EXPECT_EQ(processes_.executables, 1u);
}

TEST_F(CallersOf, KernelsUserIsWhatTheRequestSays) {
  EXPECT_EQ(callers_.flow_of({.thread = 0, .uid = 33}, sched::Time{10s})->process.uid, 33u);
}

// 200,000 callers, each seen once, 20,000 of them a second: what is remembered stays bounded, and ten idle seconds
// later nothing is left.
TEST_F(CallersOf, ShortLivedOnesLeaveNothingBehind) {
  constexpr pid_t kCallers = 200'000, kPerSecond = 20'000;
  std::size_t flows_max = 0, cached_max = 0;
  sched::Time now{1s};
  for (pid_t thread = 1; thread <= kCallers; ++thread) {
    now += 1'000'000us / kPerSecond;
    (void)callers_.flow_of({.thread = thread}, now);
    if (thread % kPerSecond != 0) continue;
    callers_.sweep(now);
    flows_.expire(now);
    flows_max = std::max(flows_max, flows_.size());
    cached_max = std::max(cached_max, callers_.size());
  }
  EXPECT_EQ(processes_.looks, static_cast<unsigned>(kCallers));
  EXPECT_LE(flows_max, std::size_t{2 * kPerSecond});
  EXPECT_LE(cached_max, std::size_t{kPerSecond});
  now += 11s;
  callers_.sweep(now);
  flows_.expire(now);
  EXPECT_EQ(callers_.size(), 0u);
  EXPECT_EQ(flows_.size(), 0u);
  EXPECT_EQ(flows_.group_count(), 0u);
}

TEST_F(CallersOf, AStormWithinOneSecondIsBoundedToo) {
  for (pid_t thread = 1; thread <= 100'000; ++thread) (void)callers_.flow_of({.thread = thread}, sched::Time{1s});
  EXPECT_LE(callers_.size(), 16u * 4096u);
}

}  // namespace
}  // namespace fairfs::test
