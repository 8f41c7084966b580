#include "sched/engine/flow_map.h"

#include <gtest/gtest.h>

#include <cerrno>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using engine::Flow;
using engine::FlowMap;
using engine::Placer;
using engine::Process;

class Flows : public testing::Test {
 protected:
  std::shared_ptr<Flow> flow(pid_t pid, const std::string& cgroup, sched::Time now = {}) {
    Process process;
    process.pid = pid;
    process.command = "fio";
    process.cgroup = cgroup;
    const engine::Placement placement = placer_.place(process);
    std::vector<sched::Weight> weights;
    for (const engine::GroupStep& group : placement.groups) weights.push_back(placer_.weight_of(group));
    return map_.find_or_add(placement, weights, placer_.weight_of(process), process, now);
  }
  void use(Flow& flow, sched::Time now) {
    flow.submitted(now);
    flow.cancelled(now + 1ms);
  }
  static engine::WeightRules rules() {
    engine::WeightRule heavy;
    heavy.cgroup = "/heavy";
    heavy.weight = 300;
    return {.rules = {heavy}};
  }
  sched::Scheduler scheduler_{{}};
  FlowMap map_{scheduler_};
  Placer placer_{engine::Grouping::cgroup, rules(), std::make_shared<engine::CgroupWeights>(engine::CgroupMount{})};
};

TEST_F(Flows, SameProcessIsTheSameFlow) {
  EXPECT_EQ(flow(5, "/a"), flow(5, "/a"));
  EXPECT_NE(flow(5, "/a"), flow(6, "/a"));
  EXPECT_EQ(map_.size(), 2u);
  EXPECT_EQ(map_.group_count(), 2u);  // /a and the processes there
}

TEST_F(Flows, MovingToAnotherCgroupIsANewFlow) {
  const auto before = flow(5, "/a"), after = flow(5, "/b");
  EXPECT_NE(before->key, after->key);
  EXPECT_EQ(after->process.cgroup, "/b");
}

TEST_F(Flows, IdleOnesGoWithTheirGroupsAfterTenSeconds) {
  const auto idle = flow(5, "/a/b"), later = flow(6, "/a", sched::Time{4s});
  map_.expire(sched::Time{10s});
  EXPECT_EQ(map_.size(), 2u);
  map_.expire(sched::Time{10s} + 1ns);
  EXPECT_FALSE(idle->in_tree);
  EXPECT_TRUE(later->in_tree);
  EXPECT_EQ(map_.group_count(), 2u);
  map_.expire(sched::Time{15s});
  EXPECT_EQ(map_.size(), 0u);
  EXPECT_EQ(map_.group_count(), 0u);
  EXPECT_NE(flow(5, "/a/b")->key, idle->key);
}

TEST_F(Flows, BusyOnesStay) {
  const auto busy = flow(5, "/a");
  busy->submitted(sched::Time{0s});
  map_.expire(sched::Time{1h});
  EXPECT_TRUE(busy->in_tree);
  busy->cancelled(sched::Time{1h});
  EXPECT_EQ(busy->counted(sched::Time{2h}).backlogged, 1h);
}

TEST_F(Flows, InACrowdIdleOnesGoAfterOneSecond) {
  for (pid_t pid = 1; pid <= static_cast<pid_t>(FlowMap::kCrowd) + 1; ++pid) flow(pid, "/a");
  map_.expire(sched::Time{1s});
  EXPECT_EQ(map_.size(), FlowMap::kCrowd + 1);
  map_.expire(sched::Time{1s} + 1ns);
  EXPECT_EQ(map_.size(), 0u);
}

TEST_F(Flows, SharesAreDueAmongTheActiveOnly) {
  // Root: /heavy 300, /light 100, the processes in / 100 (idle). In /light: two processes of 100 each.
  const auto heavy = flow(1, "/heavy"), one = flow(2, "/light"), two = flow(3, "/light"), idle = flow(4, "/");
  for (const auto& active : {heavy, one, two}) use(*active, sched::Time{1s});
  map_.share_out(sched::Time{2s});
  EXPECT_DOUBLE_EQ(heavy->share_due, 0.75);
  EXPECT_DOUBLE_EQ(one->share_due, 0.125);
  EXPECT_DOUBLE_EQ(two->share_due, 0.125);
  EXPECT_EQ(idle->share_due, 0);
  use(*one, sched::Time{2s});
  map_.share_out(sched::Time{3s});
  EXPECT_DOUBLE_EQ(one->share_due, 1);
  EXPECT_EQ(heavy->share_due, 0);
}

TEST_F(Flows, WeightsChangeInPlace) {
  const auto heavy = flow(1, "/heavy"), light = flow(2, "/light");
  map_.set_weight("cgroup:/light", 900);
  map_.set_weight("cgroup:/gone", 900);
  for (const auto& active : {heavy, light}) use(*active, sched::Time{1s});
  map_.share_out(sched::Time{2s});
  EXPECT_DOUBLE_EQ(light->share_due, 0.75);
}

TEST_F(Flows, CountersKnowWaitingFromWorking) {
  const auto counted = flow(1, "/a");
  counted->submitted(sched::Time{10ms});
  counted->submitted(sched::Time{12ms});
  counted->dispatched(5ms, sched::Time{15ms});
  counted->dispatched(8ms, sched::Time{20ms});
  counted->completed(sched::Operation::read, 4096, 10ms, sched::Time{25ms});
  counted->completed(sched::Operation::write, -EIO, 10ms, sched::Time{30ms});
  counted->cached += 3;
  const sched::FlowCounters counters = counted->counted(sched::Time{1s});
  EXPECT_EQ(counters.backlogged, 10ms);
  EXPECT_EQ(counters.active, 20ms);
  EXPECT_EQ(counters.reads, 4u);  // one from the disk, three from the cache
  EXPECT_EQ(counters.read_bytes, 4096u);
  EXPECT_EQ(counters.writes, 1u);
  EXPECT_EQ(counters.write_bytes, 0u);
  EXPECT_EQ(counters.wait.samples(), 2u);
  EXPECT_EQ(counters.service.samples(), 2u);
}

}  // namespace
}  // namespace fairfs::test
