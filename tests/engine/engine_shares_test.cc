#include <gtest/gtest.h>

#include "tests/engine/engine_fixture.h"

namespace fairfs::test {
namespace {

using engine::Event;
using engine::FlowReading;
using engine::Grouping;
using engine::Snapshot;

const FlowReading* find(const Snapshot& snapshot, const std::string& name) {
  for (const FlowReading& flow : snapshot.flows)
    if (flow.name == name) return &flow;
  return nullptr;
}

// Depth 1 and equal costs: of every four turns three are due to weight 300 and one to weight 100.
TEST_F(EngineTest, WeightsOfProcessesDecide) {
  start(1, Grouping::process, {weigh("heavy", 300)});
  EXPECT_EQ(heavy_of_first_forty(), 30);
}

TEST_F(EngineTest, WithoutRulesAllAreEqual) {
  start(1);
  EXPECT_EQ(heavy_of_first_forty(), 20);
}

TEST_F(EngineTest, WeightsOfCgroupsAreTakenOverWithoutAnyRule) {
  folder_.write("proc/self/mountinfo", "38 31 0:38 / " + folder_.path("tree") + " rw - cgroup2 cgroup2 rw\n");
  folder_.write("tree/heavy/io.weight", "default 300\n");
  folder_.write("tree/light/io.weight", "default 100\n");
  start(1, Grouping::cgroup);
  EXPECT_EQ(heavy_of_first_forty(), 30);
}

TEST_F(EngineTest, ACgroupsNewWeightIsSeenWithinASecond) {
  folder_.write("proc/self/mountinfo", "38 31 0:38 / " + folder_.path("tree") + " rw - cgroup2 cgroup2 rw\n");
  folder_.write("tree/heavy/io.weight", "default 100\n");
  engine::Engine& engine = start(1, Grouping::cgroup);
  EXPECT_EQ(heavy_of_first_forty([&] {
              folder_.write("tree/heavy/io.weight", "default 300\n");
              EXPECT_TRUE(eventually([&] {
                const Snapshot snapshot = engine.snapshot();
                const FlowReading* heavy = find(snapshot, "heavy[101]");
                return heavy != nullptr && heavy->share_due == 0.75;
              }));
            }),
            30);
}

TEST_F(EngineTest, NewRulesApplyToWhatIsQueued) {
  engine::Engine& engine = start(1);
  EXPECT_EQ(heavy_of_first_forty([&] { engine.set_rules({.rules = {weigh("heavy", 300)}}); }), 30);
}

// 4 KiB each, and none a second: the first spends the ceiling for the next hours.
TEST_F(EngineTest, ACeilingHoldsAtOnceForWhatIsQueuedAndEndsWithItsRule) {
  engine::WeightRule slow = weigh("heavy", 100);
  slow.limits.max_read = 1;
  engine::Engine& engine = start(1, Grouping::process, {slow});
  engine.hold(true);
  for (int i = 0; i < 3; ++i) {
    submit(kHeavy);
    submit(kLight);
  }
  engine.hold(false);
  ASSERT_TRUE(record_.wait_for_answers(4));
  EXPECT_EQ(record_.order(), (std::vector<pid_t>{kHeavy, kLight, kLight, kLight}));
  engine.set_rules({});
  engine.drain();
  EXPECT_EQ(record_.order().size(), 6U);
}

TEST_F(EngineTest, ANewRuleLiftsLaterRequestsAndLeavesQueuedOnes) {
  engine::Engine& engine = start(1);
  engine.hold(true);
  submit(kHeavy);
  engine::WeightRule lift = weigh("heavy", 10);
  lift.flow = "backup";
  engine.set_rules({.rules = {lift}});
  submit(kHeavy);
  const Snapshot snapshot = engine.snapshot();
  const FlowReading *before = find(snapshot, "heavy[101]"), *after = find(snapshot, "backup");
  ASSERT_NE(before, nullptr);
  ASSERT_NE(after, nullptr);
  EXPECT_EQ(before->queued, 1u);
  EXPECT_EQ(before->weight, 100);
  EXPECT_EQ(after->queued, 1u);
  EXPECT_EQ(after->weight, 10);
  EXPECT_EQ(after->pid, 0);
}

TEST_F(EngineTest, AReadingHasTheTreeAndWhatWasChanged) {
  engine::WeightRule group = weigh("", 700);
  group.command.reset();
  group.cgroup = "/heavy";
  group.overrides = true;
  engine::Engine& engine = start(1, Grouping::cgroup, {});
  engine.hold(true);
  submit(kHeavy);
  submit(kLight);
  engine.set_rules({.rules = {group}});
  const Snapshot snapshot = engine.snapshot();
  ASSERT_EQ(snapshot.groups.size(), 4u);
  const auto parent_of = [&](std::int32_t place) { return snapshot.groups.at(static_cast<std::size_t>(place)); };
  for (const char* command : {"heavy", "light"}) {
    const bool heavy = std::string{command} == "heavy";
    const FlowReading* flow = find(snapshot, heavy ? "heavy[101]" : "light[102]");
    ASSERT_NE(flow, nullptr);
    const engine::GroupReading here = parent_of(flow->group);
    EXPECT_EQ(here.kind, engine::GroupKind::processes_here);
    const engine::GroupReading cgroup = parent_of(here.parent);
    EXPECT_EQ(cgroup.kind, engine::GroupKind::cgroup);
    EXPECT_EQ(cgroup.cgroup, std::string{"/"} + command);
    EXPECT_EQ(cgroup.parent, -1);
    EXPECT_EQ(cgroup.weight, heavy ? 700 : 100);
    EXPECT_EQ(cgroup.overridden, heavy);
    EXPECT_FALSE(flow->overridden);
    EXPECT_EQ(flow->service, sched::ServiceClass::best_effort);
  }
}

TEST_F(EngineTest, CountsWithoutScheduling) {
  engine::Engine& engine = start(4);
  engine.count({.thread = kHeavy}, Event::cached_read, 100);
  engine.count({.thread = kHeavy}, Event::buffered_write, 200);
  engine.count({.thread = kHeavy}, Event::metadata);
  engine.count({.thread = 0}, Event::metadata);
  const Snapshot snapshot = engine.snapshot();
  const FlowReading* heavy = find(snapshot, "heavy[101]");
  ASSERT_NE(heavy, nullptr);
  EXPECT_EQ(heavy->pid, kHeavy);
  EXPECT_EQ(heavy->command, "heavy");
  EXPECT_EQ(heavy->cgroup, "/heavy");
  EXPECT_EQ(heavy->counters.cached, 1u);
  EXPECT_EQ(heavy->counters.reads, 1u);
  EXPECT_EQ(heavy->counters.read_bytes, 100u);
  EXPECT_EQ(heavy->counters.writes, 1u);
  EXPECT_EQ(heavy->counters.write_bytes, 200u);
  EXPECT_EQ(heavy->counters.metadata, 1u);
  EXPECT_EQ(heavy->counters.device_time, 0ns);
  EXPECT_NE(find(snapshot, "(kernel)"), nullptr);
  EXPECT_EQ(snapshot.decisions, 0u);
}

TEST_F(EngineTest, LastSecondIsOneSecondOfWaitingAndItsShares) {
  engine::Engine& engine = start(1, Grouping::process, {weigh("heavy", 300)});
  engine.hold(true);
  submit(kHeavy);
  submit(kLight);
  std::pair<engine::SharedSnapshot, engine::SharedSnapshot> second;
  ASSERT_TRUE(eventually([&] {
    second = engine.last_second();
    return second.first->flows.size() == 2 && second.second->taken > second.first->taken;
  }));
  const FlowReading *heavy = find(*second.second, "heavy[101]"), *earlier = find(*second.first, "heavy[101]");
  ASSERT_NE(heavy, nullptr);
  ASSERT_NE(earlier, nullptr);
  EXPECT_EQ(heavy->key, earlier->key);
  EXPECT_DOUBLE_EQ(heavy->share_due, 0.75);
  EXPECT_DOUBLE_EQ(find(*second.second, "light[102]")->share_due, 0.25);
  const sched::Duration length = second.second->taken - second.first->taken;
  EXPECT_GE(length, 900ms);
  EXPECT_NEAR(static_cast<double>((heavy->counters.backlogged - earlier->counters.backlogged).count()),
              static_cast<double>(length.count()), 50e6);
}

TEST_F(EngineTest, DeviceTimeIsWhatTheSchedulerCharged) {
  engine::Engine& engine = start(1);
  submit(kHeavy);
  engine.run();
  const Snapshot snapshot = engine.snapshot();
  // The default profile's random read: 100 us and 4096 bytes at 500 MB/s.
  EXPECT_NEAR(static_cast<double>(snapshot.device_time.count()), 100'000 + 8192, 1);
  EXPECT_GT(snapshot.device_busy, 0ns);
  EXPECT_GT(snapshot.decision_time, 0ns);
  EXPECT_EQ(snapshot.flows.at(0).counters.service.samples(), 1u);
}

}  // namespace
}  // namespace fairfs::test
