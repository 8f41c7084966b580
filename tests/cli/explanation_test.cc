// Situations that somebody asks about, and what is said of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/explanation_text.h"
#include "cli/explanation_view.h"

namespace fairfs::test {
namespace {

using cli::FlowView;
using engine::GroupKind;
using engine::Origin;
using engine::WeightRule;
using sched::ServiceClass;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// rsync[7] of bob in /backup beside postgres[8], both active for the last second and backlogged, each as is due.
class Explaining : public testing::Test {
 protected:
  Explaining() {
    why.process.pid = 7;
    why.process.command = "rsync";
    why.process.cgroup = "/backup";
    why.name = "rsync[7]";
    why.class_origin.kind = Origin::Kind::priority;
    why.flows = {1};
    interval.about.weights = "/etc/w.toml";
    interval.about.mountpoint = "/mnt";
    interval.flows = {flow(1, 0.25), flow(2, 0.75)};
  }
  static FlowView flow(std::uint64_t key, double share) {
    FlowView flow;
    flow.key = key;
    flow.share_due = flow.share_got = share;
    flow.backlogged = 1;
    return flow;
  }
  /// As it arrives at the other end of the socket.
  std::vector<std::string> sentences() const {
    return cli::explain(cli::parse_explanation(cli::to_line(why)), interval, "bob");
  }
  FlowView& own() { return interval.flows[0]; }
  static Origin rule(std::uint32_t line, auto change) {
    Origin origin{Origin::Kind::rule, WeightRule{}};
    origin.rule->line = line;
    change(*origin.rule);
    return origin;
  }

  engine::Explanation why;
  cli::IntervalView interval;
};

TEST_F(Explaining, NoRuleAndEnoughToDo) {
  EXPECT_THAT(sentences(),
              ElementsAre("rsync[7] of user bob is in cgroup /backup.",
                          "It weighs 100: no rule says anything about it, and this is the default.",
                          "In the last second 1 other flow used the disk, too: 25.0 % of its time are due to this one.",
                          "It got 25.0 %, which is what is due."));
}

TEST_F(Explaining, ARuleOfTheFileAndTheLevelOfIonice) {
  why.weight_origin = rule(12, [](WeightRule& made) {
    made.command = "rsync";
    made.user = 1000;
    made.weight = 20;
  });
  why.unscaled = 20;
  why.weight = 40;
  why.process.priority.level = 0;
  EXPECT_THAT(sentences(),
              Contains("It weighs 20: the rule in line 12 of /etc/w.toml says so (command=rsync,user=1000)."));
  EXPECT_THAT(sentences(), Contains("Its I/O priority, level 0 (by ionice, else by nice), makes that 40."));
}

TEST_F(Explaining, SetWhileRunning) {
  why.weight_origin = rule(0, [](WeightRule& made) {
    made.pid = 7;
    made.overrides = true;
  });
  why.weight = why.unscaled = 300;
  EXPECT_THAT(sentences(), Contains("It weighs 300: it was set while running (pid=7)."));
}

TEST_F(Explaining, ANamedFlowWithOthers) {
  why.shared = true;
  why.name = "backup";
  why.weight = 10;
  why.weight_origin = rule(3, [](WeightRule& made) {
    made.user = 1000;
    made.flow = "backup";
    made.overrides = true;
  });
  EXPECT_THAT(sentences(),
              Contains("It is one of those in the flow 'backup', which together weigh 10: the rule in line 3 "
                       "of /etc/w.toml says so (user=1000, changed while running)."));
}

TEST_F(Explaining, CgroupsAboveIt) {
  why.levels = {{GroupKind::cgroup, "/a", 0, 500, rule(5, [](WeightRule& made) { made.cgroup = "/a"; })},
                {GroupKind::cgroup, "/a/b", 0, 70, {Origin::Kind::cgroup_file, {}}},
                {GroupKind::processes_here, "/a/b", 0, 100, {Origin::Kind::fixed, {}}}};
  const auto said = sentences();
  EXPECT_THAT(said,
              Contains("The cgroup /a weighs 500 against those beside it: the rule in line 5 of /etc/w.toml says so "
                       "(cgroup=/a)."));
  EXPECT_THAT(said,
              Contains("The cgroup /a/b weighs 70 against those beside it: the cgroup's own file (io.weight or its "
                       "like) says so."));
  EXPECT_EQ(said.size(), 6U) << "processes directly in a cgroup are no news";
  why.levels = {{GroupKind::user, "", 1000, 200, {}}};
  EXPECT_THAT(sentences(),
              Contains("The user's processes together: 200 against other users': no rule says anything about "
                       "it, and this is the default."));
}

TEST_F(Explaining, AnIdleClassBehindOthers) {
  why.service = ServiceClass::idle;
  own().service = ServiceClass::idle;
  own().share_got = 0.02;
  EXPECT_THAT(sentences(), Contains("Its class is idle: it gets what the others leave, and always a few per cent: by "
                                    "ionice, or by nice where that was never set."));
  EXPECT_THAT(sentences().back(), "It got 2.0 %, less than is due by weight, because others are of a higher class.");
}

TEST_F(Explaining, ARealTimeClassBeforeOthers) {
  why.service = ServiceClass::realtime;
  why.class_origin = rule(9, [](WeightRule& made) { made.command = "rsync"; });
  own().share_got = 0.9;
  EXPECT_THAT(sentences(),
              Contains("Its class is rt, which goes before all others whatever they weigh: the rule in line 9 "
                       "of /etc/w.toml says so (command=rsync)."));
  EXPECT_THAT(sentences().back(), "It got 90.0 %, more than is due, because its class goes before the others'.");
}

TEST_F(Explaining, ItDoesNotAskForMore) {
  own().share_got = 0.05;
  own().backlogged = 0.1;
  EXPECT_THAT(
      sentences().back(),
      "It got 5.0 %, less than is due: it did not ask for more. Requests of it were waiting in only 10.0 % of the "
      "time; a program that has one request at a time in flight can't use a large share.");
  own().share_got = 0.6;
  EXPECT_THAT(sentences().back(), "It got 60.0 %, more than is due, because others did not use up theirs.");
}

TEST_F(Explaining, TheProcessorsAreTheLimit) {
  interval.state.processor_use = 0.97;
  interval.state.processor_bound = true;
  for (const double backlogged : {0.1, 1.0}) {
    own().backlogged = backlogged;
    own().share_got = 0.05;
    EXPECT_THAT(sentences().back(),
                "It got 5.0 %, less than is due: the processors are the limit and not the disk (97.0 % busy). Who gets "
                "a processor first is served first, and weights hold less well.");
    own().share_got = 0.6;
    EXPECT_THAT(sentences().back(),
                "It got 60.0 %, more than is due, because the processors are the limit and not the "
                "disk (97.0 % busy): others had to wait for one.");
  }
  own().share_got = own().share_due;
  EXPECT_THAT(sentences().back(), HasSubstr("which is what is due"));
  own().share_got = 0.05;
  why.service = ServiceClass::idle;  // an order of classes holds whatever the limit is
  EXPECT_THAT(sentences().back(), HasSubstr("because others are of a higher class"));
}

TEST_F(Explaining, LessAlthoughItAsked) {
  own().share_got = 0.05;
  own().starved = 0.5;
  own().throttled = 0.25;
  const auto said = sentences();
  EXPECT_THAT(said,
              Contains(HasSubstr("It got 5.0 %, less than is due, although it asked for more: it pays for what it")));
  EXPECT_THAT(said, Contains("Its writes waited 25.0 % of the time for its own dirty data to be written."));
  EXPECT_THAT(said, Contains("It waited for over a second with nothing done for it."));
}

TEST_F(Explaining, ItsCeilingIsReached) {
  why.limits.max_read = 1'500'000;
  why.limits.latency = std::chrono::milliseconds{20};
  why.limits_origin = rule(4, [](WeightRule& made) { made.command = "rsync"; });
  own().share_got = 0.1;
  own().read_bytes_per_s = 1.4e6;
  own().reads_per_s = 100;
  EXPECT_THAT(sentences(), Contains("It has the limits max_read=1.5MB/s, latency=20ms: the rule in line 4 of "
                                    "/etc/w.toml says so (command=rsync)."));
  EXPECT_EQ(sentences().back(),
            "It got 10.0 % and wants more, but is as fast as it may be (max_read=1.5MB/s): a ceiling holds even when "
            "the disk is idle.");
  own().cached_per_s = 50;  // half of it came from the page cache, which no ceiling counts
  EXPECT_THAT(sentences().back(), HasSubstr("less than is due, although it asked for more"));
  own().cached_per_s = 0;
  own().backlogged = 0.1;
  EXPECT_THAT(sentences().back(), HasSubstr("it did not ask for more"));
}

TEST_F(Explaining, ItsCgroupSharesACeilingWithOthers) {
  why.levels = {{GroupKind::cgroup, "/a", 0, 100, {}}, {GroupKind::processes_here, "/a", 0, 100, {}}};
  why.levels[0].limits.max_iops = 300;
  why.levels[0].limits_origin = rule(0, [](WeightRule& made) {
    made.cgroup = "/a";
    made.overrides = true;
  });
  interval.groups = {{GroupKind::cgroup, "/a", 0, -1, 100, false}, {GroupKind::processes_here, "/a", 0, 0, 100, false}};
  for (FlowView& flow : interval.flows) {
    flow.group = 1;
    flow.writes_per_s = 150;
  }
  EXPECT_THAT(sentences(), Contains("All in cgroup /a together have the limits max_iops=300: it was set while running "
                                    "(cgroup=/a)."));
  EXPECT_THAT(sentences().back(), HasSubstr("is as fast as it may be (max_iops=300 of cgroup /a): "));
  interval.flows[1].group = -1;  // the other is elsewhere
  EXPECT_THAT(sentences().back(), HasSubstr("which is what is due"));
}

TEST_F(Explaining, AFloorGivesMoreThanIsDue) {
  why.limits.min_read = 8'000'000;
  own().share_got = 0.5;
  own().reads_per_s = 2000;
  own().read_bytes_per_s = 8.2e6;
  EXPECT_EQ(sentences().back(),
            "It got 50.0 %, more than is due, because that much is guaranteed to it whatever it weighs "
            "(min_read=8MB/s).");
  own().read_bytes_per_s = 20e6;
  EXPECT_THAT(sentences().back(), HasSubstr("because others did not use up theirs")) << "far above the floor";
}

TEST_F(Explaining, Alone) {
  interval.flows.pop_back();
  own().share_due = own().share_got = 1;
  EXPECT_THAT(sentences().back(),
              "It got 100.0 %: it was alone, and whoever is alone gets all it asks for, whatever it weighs.");
}

TEST_F(Explaining, NothingForTheDisk) {
  own().share_due = own().share_got = 0;
  own().cached_per_s = 1000;
  EXPECT_EQ(sentences().back(), "The page cache answered all it read: that never waits, and no weight counts.");
  own().cached_per_s = 0;
  own().metadata_per_s = 5;
  EXPECT_EQ(sentences().back(), "It only asked for names and attributes, which are never queued.");
  own().metadata_per_s = 0;
  EXPECT_EQ(sentences().back(), "In the last second it asked the disk for nothing, so nothing was due to it.");
  why.flows.clear();
  EXPECT_EQ(sentences().back(), "It has asked /mnt for nothing in the last 10 s, so nothing is due to it.");
}

TEST_F(Explaining, WithoutScheduling) {
  interval.about.scheduling = false;
  own().share_got = 0.5;
  const auto said = sentences();
  EXPECT_THAT(said, Contains("The mount was made with sched=off: weights and classes count for nothing."));
  EXPECT_EQ(said.back(), "It got 50.0 %, as it asked.");
}

TEST_F(Explaining, ThreadsOfSeveralClassesAreOneProcess) {
  why.flows = {1, 2};
  interval.flows.push_back(flow(3, 0.5));
  own().share_due = own().share_got = 0.2;
  interval.flows[1].share_due = interval.flows[1].share_got = 0.3;
  EXPECT_THAT(sentences(), Contains(HasSubstr("1 other flow used the disk, too: 50.0 %")));
}

TEST(ExplanationText, RefusesWhatIsNone) {
  for (const char* line : {"", "{}", "3", R"({"error":"no"})", R"({"known":true})"}) {
    EXPECT_THROW((void)cli::parse_explanation(line), std::runtime_error) << line;
  }
  engine::Explanation why;
  why.weight_origin.kind = Origin::Kind::rule;  // and no rule
  EXPECT_THROW((void)cli::parse_explanation(cli::to_line(why)), std::runtime_error);
}

}  // namespace
}  // namespace fairfs::test
