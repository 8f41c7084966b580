#include "sched/engine/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/temporary_folder.h"

namespace fairfs::test {
namespace {

using engine::Grouping;
using engine::GroupStep;
using engine::Placement;
using engine::Placer;
using engine::Process;
using engine::WeightRule;
using engine::WeightRules;
using testing::ElementsAre;

Process process(pid_t pid, const std::string& command, const std::string& cgroup) {
  Process made;
  made.pid = pid;
  made.start_time = 7;
  made.command = command;
  made.cgroup = cgroup;
  made.uid = 1000;
  made.gid = 100;
  return made;
}

class Placing : public testing::Test {
 protected:
  Placer placer(Grouping grouping, std::vector<WeightRule> rules = {}) {
    return {grouping, WeightRules{.default_weight = 200, .rules = std::move(rules)},
            std::make_shared<engine::CgroupWeights>(engine::CgroupMount{tree_.path(), "/"})};
  }
  static std::vector<sched::Weight> weights(const Placer& placer, const Process& who) {
    std::vector<sched::Weight> all;
    for (const GroupStep& group : placer.place(who).groups) all.push_back(placer.weight_of(group));
    all.push_back(placer.weight_of(who));
    return all;
  }
  TemporaryFolder tree_;
};

WeightRule rule(sched::Weight weight) {
  WeightRule made;
  made.weight = weight;
  return made;
}

TEST_F(Placing, CgroupTreeThenTheProcessesThereThenTheProcess) {
  const Placer p = placer(Grouping::cgroup);
  const Placement placement = p.place(process(5, "fio", "/a/b"));
  std::vector<std::string> keys;
  for (const GroupStep& group : placement.groups) keys.push_back(group.key);
  EXPECT_THAT(keys, ElementsAre("cgroup:/a", "cgroup:/a/b", "here:/a/b"));
  EXPECT_EQ(placement.name, "fio[5]");
  EXPECT_THAT(weights(p, process(5, "fio", "/a/b")), ElementsAre(200, 200, 100, 200));
}

TEST_F(Placing, ProcessesInTheRootCompeteAsOneOfWeight100) {
  const Placer p = placer(Grouping::cgroup);
  const Placement placement = p.place(process(5, "fio", "/"));
  ASSERT_EQ(placement.groups.size(), 1u);
  EXPECT_EQ(placement.groups[0].kind, GroupStep::Kind::processes_here);
  EXPECT_EQ(p.weight_of(placement.groups[0]), 100);
}

TEST_F(Placing, OtherGroupings) {
  EXPECT_TRUE(placer(Grouping::process).place(process(5, "fio", "/a/b")).groups.empty());
  const Placement placement = placer(Grouping::uid).place(process(5, "fio", "/a/b"));
  ASSERT_EQ(placement.groups.size(), 1u);
  EXPECT_EQ(placement.groups[0].key, "user:1000");
}

TEST_F(Placing, SameIdLaterOrInAnotherCgroupIsAnotherLeaf) {
  const Placer p = placer(Grouping::cgroup);
  Process later = process(5, "fio", "/a");
  later.start_time = 8;
  EXPECT_NE(p.place(process(5, "fio", "/a")).leaf, p.place(later).leaf);
  EXPECT_NE(p.place(process(5, "fio", "/a")).leaf, p.place(process(5, "fio", "/b")).leaf);
  EXPECT_EQ(p.place(process(5, "fio", "/a")).leaf, p.place(process(5, "sh", "/a")).leaf);  // exec
}

TEST_F(Placing, ACgroupsOwnWeightCountsUnlessARuleSaysOtherwise) {
  tree_.write("a/io.weight", "default 300\n");
  tree_.write("a/b/blkio.bfq.weight", "400\n");
  EXPECT_THAT(weights(placer(Grouping::cgroup), process(5, "fio", "/a/b")), ElementsAre(300, 400, 100, 200));
  WeightRule exact = rule(11), glob = rule(12);
  exact.cgroup = "/a";
  glob.cgroup = "/a/*";
  EXPECT_THAT(weights(placer(Grouping::cgroup, {exact, glob}), process(5, "fio", "/a/b")),
              ElementsAre(11, 12, 100, 200));
}

TEST_F(Placing, FirstMatchWinsOnEachLevelByItself) {
  WeightRule process_first = rule(1), node_first = rule(2), process_second = rule(3), node_second = rule(4);
  process_first.command = "fio";
  process_second.command = "fio";
  node_first.cgroup = "/a";
  node_second.cgroup = "/*";
  const Placer p = placer(Grouping::cgroup, {process_first, node_first, process_second, node_second});
  EXPECT_THAT(weights(p, process(5, "fio", "/a")), ElementsAre(2, 100, 1));
  EXPECT_THAT(weights(p, process(5, "dd", "/b")), ElementsAre(4, 100, 200));
}

TEST_F(Placing, AllKeysOfARuleMustMatch) {
  WeightRule all = rule(9);
  all.cgroup = "/a";
  all.command = "fio";
  all.exe = "/usr/bin/fio";
  all.user = 1000;
  all.group = 100;
  all.pid = 5;
  Process who = process(5, "fio", "/a");
  who.executable = "/usr/bin/fio";
  const Placer p = placer(Grouping::cgroup, {all});
  EXPECT_TRUE(p.wants_executable());
  EXPECT_EQ(p.weight_of(who), 9);
  for (auto spoil : {+[](Process& x) { x.cgroup = "/b"; }, +[](Process& x) { x.command = "dd"; },
                     +[](Process& x) { x.executable = "/bin/fio"; }, +[](Process& x) { x.uid = 0; },
                     +[](Process& x) { x.gid = 0; }, +[](Process& x) { x.pid = 6; }}) {
    Process other = who;
    spoil(other);
    EXPECT_EQ(p.weight_of(other), 200);
  }
}

TEST_F(Placing, ANamedFlowIsOneTopLevelLeafForAllItsProcesses) {
  WeightRule backup = rule(10), also = rule(70);
  backup.user = 1000;
  backup.flow = "backup";
  also.command = "tar";
  also.flow = "backup";
  const Placer p = placer(Grouping::cgroup, {backup, also});
  const Placement placement = p.place(process(5, "fio", "/a/b"));
  EXPECT_TRUE(placement.groups.empty());
  EXPECT_TRUE(placement.shared);
  EXPECT_EQ(placement.name, "backup");
  Process root_tar = process(6, "tar", "/c");
  root_tar.uid = 0;
  EXPECT_EQ(p.place(root_tar).leaf, placement.leaf);
  EXPECT_EQ(p.weight_of(root_tar), 10);  // the flow has one weight: the first rule's
}

TEST_F(Placing, ByUserARuleWithNothingButTheUserWeighsTheUsersNode) {
  WeightRule user = rule(500), command = rule(20);
  user.user = 1000;
  command.command = "rsync";
  EXPECT_THAT(weights(placer(Grouping::uid, {user, command}), process(5, "rsync", "/")), ElementsAre(500, 20));
  EXPECT_THAT(weights(placer(Grouping::uid, {user, command}), process(5, "fio", "/")), ElementsAre(500, 200));
  EXPECT_THAT(weights(placer(Grouping::process, {user, command}), process(5, "rsync", "/")), ElementsAre(500));
}

TEST_F(Placing, ARuleForAProcessMeansThisOneAndNoLaterOneOfItsNumber) {
  WeightRule one = rule(10);
  one.pid = 5;
  one.start_time = 7;
  const Placer p = placer(Grouping::process, {one});
  EXPECT_EQ(p.weight_of(process(5, "fio", "/")), 10);
  Process later = process(5, "fio", "/");
  later.start_time = 8;
  EXPECT_EQ(p.weight_of(later), 200);
}

TEST_F(Placing, SaysWhatComesFromAChangeMadeWhileRunning) {
  WeightRule file = rule(10), changed = rule(20), changed_class, group = rule(30);
  file.command = "fio";
  changed.user = 1000;
  changed_class.command = "tar";
  changed_class.service = sched::ServiceClass::idle;
  changed_class.weighs = false;
  group.cgroup = "/a";
  changed.overrides = changed_class.overrides = group.overrides = true;
  const auto overridden = [&](std::vector<WeightRule> rules, const char* command) {
    return placer(Grouping::cgroup, std::move(rules)).place(process(5, command, "/a")).overridden;
  };
  EXPECT_FALSE(overridden({file, changed}, "fio")) << "the first match counts";
  EXPECT_TRUE(overridden({changed, file}, "fio"));
  EXPECT_FALSE(overridden({changed_class}, "fio"));
  EXPECT_TRUE(overridden({file, changed_class}, "tar"));
  const Placer p = placer(Grouping::cgroup, {group});
  const Placement placement = p.place(process(5, "fio", "/a"));
  EXPECT_FALSE(placement.overridden) << "the group's is its own";
  EXPECT_TRUE(p.is_overridden(placement.groups[0]));
  EXPECT_FALSE(p.is_overridden(placement.groups[1]));
}

TEST_F(Placing, KernelAndUnknownCallersShowTheirNames) {
  const Placer p = placer(Grouping::cgroup);
  EXPECT_EQ(p.place(engine::nobody(Process::Kind::kernel)).name, "(kernel)");
  EXPECT_NE(p.place(engine::nobody(Process::Kind::kernel)).leaf, p.place(engine::nobody(Process::Kind::unknown)).leaf);
}

TEST_F(Placing, ClassIsIonicesUnlessARuleSaysSo) {
  WeightRule tar, player;
  tar.command = "tar";
  tar.service = sched::ServiceClass::idle;
  tar.weighs = false;
  player.cgroup = "/player";
  player.service = sched::ServiceClass::realtime;
  player.weighs = false;
  const Placer p = placer(Grouping::cgroup, {tar, player});
  EXPECT_EQ(p.place(process(5, "tar", "/player")).service, sched::ServiceClass::idle);  // the process's own rule first
  EXPECT_EQ(p.place(process(5, "mpv", "/player/here")).service, sched::ServiceClass::realtime);
  EXPECT_EQ(p.place(process(5, "mpv", "/players")).service, sched::ServiceClass::best_effort);
  EXPECT_THAT(weights(p, process(5, "tar", "/player")), ElementsAre(200, 100, 200));  // and nothing weighs otherwise
  Process ioniced = process(5, "mpv", "/a");
  ioniced.priority = {sched::ServiceClass::realtime, 0};
  EXPECT_EQ(p.place(ioniced).service, sched::ServiceClass::realtime);
  EXPECT_NE(p.place(ioniced).leaf, p.place(process(5, "mpv", "/a")).leaf);  // threads of one process may differ
  EXPECT_EQ(p.weight_of(ioniced), 400);
}

TEST_F(Placing, LimitsComeFromTheFirstRuleOfTheirNodeThatHasSome) {
  WeightRule heavy = rule(300), process_limit, cgroup_limit, backup = rule(10), backup_limit;
  heavy.command = process_limit.command = "fio";
  process_limit.weighs = false;
  process_limit.limits.max_read = 1;
  cgroup_limit.cgroup = "/a";
  cgroup_limit.weighs = false;
  cgroup_limit.limits.min_iops = 2;
  backup.user = 1001;
  backup.flow = backup_limit.flow = "backup";
  backup_limit.command = "tar";
  backup_limit.limits.latency = std::chrono::milliseconds{3};
  const Placer p = placer(Grouping::cgroup, {heavy, process_limit, cgroup_limit, backup, backup_limit});
  const Placement placement = p.place(process(5, "fio", "/a/b"));
  EXPECT_EQ(placement.limits.max_read, 1U);
  EXPECT_EQ(placement.groups[0].limits.min_iops, 2U);
  EXPECT_FALSE(placement.groups[1].limits.any());
  EXPECT_EQ(p.weight_of(process(5, "fio", "/a/b")), 300);
  EXPECT_FALSE(p.place(process(5, "mpv", "/a")).limits.any());
  Process lifted = process(5, "fio", "/a");
  lifted.uid = 1001;
  // fio's own rule comes first for its weight and class; lifted it would have the flow's limits.
  EXPECT_EQ(placer(Grouping::cgroup, {backup, backup_limit}).place(lifted).limits.latency,
            std::chrono::milliseconds{3});
}

TEST_F(Placing, WhatIsSetWhileRunningIsNotScaledByTheLevel) {
  WeightRule fio = rule(300);
  fio.command = "fio";
  Process ioniced = process(5, "fio", "/a");
  ioniced.priority.level = 0;
  EXPECT_EQ(placer(Grouping::process, {fio}).weight_of(ioniced), 600);
  fio.overrides = true;
  EXPECT_EQ(placer(Grouping::process, {fio}).weight_of(ioniced), 300);
}

}  // namespace
}  // namespace fairfs::test
