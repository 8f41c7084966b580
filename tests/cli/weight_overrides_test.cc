#include "cli/weight_overrides.h"

#include <gtest/gtest.h>

#include <map>

#include "cli/weights_file.h"
#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

using cli::RuleWords;
using engine::WeightRules;

/// A file with a rule for a command and one that lifts two users into a flow; processes 10 and 11.
class WeightOverrides : public testing::Test {
 protected:
  static WeightRules file(const char* weight = "100") {
    return cli::parse_weights("default_weight = 50\n[[rule]]\ncommand = \"rsync\"\nweight = " + std::string{weight} +
                                  "\n[[rule]]\nuser = 1\nflow = \"guests\"\nweight = 10\n"
                                  "[[rule]]\nuser = 2\nflow = \"guests\"\nweight = 10\n",
                              "w.toml");
  }
  std::string refusal(const RuleWords& words) {
    return failure_of([&] { overrides.set(words); }).second;
  }

  std::map<pid_t, std::uint64_t> starts{{10, 1000}, {11, 1001}};
  WeightRules rules;
  int applied = 0;
  cli::WeightOverrides overrides{file(),
                                 [this](WeightRules whole) {
                                   rules = std::move(whole);
                                   ++applied;
                                 },
                                 [this](pid_t pid) {
                                   const auto found = starts.find(pid);
                                   return found != starts.end() ? std::optional{found->second} : std::nullopt;
                                 }};
};

TEST_F(WeightOverrides, StandBeforeTheFileTheNewestFirst) {
  overrides.set({{"command", "rsync"}, {"weight", 20}});
  overrides.set({{"user", 1000}, {"class", "idle"}});
  ASSERT_EQ(rules.rules.size(), 5U);
  EXPECT_EQ(rules.default_weight, 50);
  EXPECT_EQ(rules.rules[0].user, 1000U);
  EXPECT_EQ(rules.rules[0].service, sched::ServiceClass::idle);
  EXPECT_FALSE(rules.rules[0].weighs);
  EXPECT_EQ(rules.rules[1].command, "rsync");
  EXPECT_EQ(rules.rules[1].weight, 20);
  EXPECT_TRUE(rules.rules[1].overrides);
  EXPECT_EQ(rules.rules[2].weight, 100);
  EXPECT_FALSE(rules.rules[2].overrides);
  EXPECT_EQ(rules.rules[2].line, 2U);
  EXPECT_EQ(overrides.list(),
            (std::vector<RuleWords>{{{"user", 1000}, {"class", "idle"}}, {{"command", "rsync"}, {"weight", 20}}}));
}

TEST_F(WeightOverrides, AnotherForTheSameOnesAddsToTheFirst) {
  overrides.set({{"command", "rsync"}, {"weight", 20}});
  overrides.set({{"command", "rsync"}, {"class", "rt"}});
  overrides.set({{"command", "rsync"}, {"weight", 30}});
  ASSERT_EQ(rules.rules.size(), 4U);
  EXPECT_EQ(rules.rules[0].weight, 30);
  EXPECT_EQ(rules.rules[0].service, sched::ServiceClass::realtime);
}

TEST_F(WeightOverrides, OutliveANewFile) {
  overrides.set({{"command", "rsync"}, {"weight", 20}});
  overrides.replace_file(file("300"));
  EXPECT_EQ(rules.rules[0].weight, 20);
  EXPECT_EQ(rules.rules[1].weight, 300);
}

TEST_F(WeightOverrides, AreUndoneOneByOneOrAll) {
  overrides.set({{"command", "rsync"}, {"weight", 20}});
  overrides.set({{"command", "rsync"}, {"user", 5}, {"weight", 21}});
  overrides.set({{"cgroup", "/a"}, {"weight", 22}});
  overrides.unset({{"command", "rsync"}});
  EXPECT_EQ(rules.rules.size(), 5U);
  EXPECT_EQ(failure_of([&] {
              overrides.unset({{"command", "rsync"}});
            }).second,
            "unset: command=rsync: nothing was set for it; name it as it was set, or 'all'");
  overrides.clear();
  EXPECT_EQ(rules.rules.size(), 3U);
  EXPECT_TRUE(overrides.list().empty());
}

TEST_F(WeightOverrides, ANamedFlowIsChangedInEachRuleThatLiftsIntoIt) {
  overrides.set({{"flow", "guests"}, {"weight", 70}});
  ASSERT_EQ(rules.rules.size(), 3U);
  for (const int i : {1, 2}) {
    EXPECT_EQ(rules.rules[i].weight, 70);
    EXPECT_TRUE(rules.rules[i].overrides);
    EXPECT_FALSE(rules.rules[i].service);
  }
  overrides.set({{"flow", "guests"}, {"class", "idle"}});
  EXPECT_EQ(rules.rules[1].weight, 70);
  EXPECT_EQ(rules.rules[2].service, sched::ServiceClass::idle);
  overrides.unset({{"flow", "guests"}});
  EXPECT_EQ(rules.rules[1].weight, 10);
  EXPECT_FALSE(rules.rules[1].overrides);
}

TEST_F(WeightOverrides, LiftIntoAFlowWhileRunning) {
  overrides.set({{"command", "cp"}, {"flow", "copies"}, {"weight", 5}});
  EXPECT_EQ(rules.rules[0].flow, "copies");
  overrides.set({{"flow", "copies"}, {"weight", 6}});
  EXPECT_EQ(rules.rules[0].command, "cp");
  EXPECT_EQ(rules.rules[0].weight, 6);
}

TEST_F(WeightOverrides, ForAProcessEndWithIt) {
  overrides.set({{"pid", 10}, {"weight", 20}});
  EXPECT_EQ(rules.rules[0].pid, 10);
  EXPECT_EQ(rules.rules[0].start_time, 1000U);
  starts[10] = 2000;  // another process of the same number
  EXPECT_TRUE(overrides.list().empty());
  overrides.set({{"pid", 11}, {"weight", 20}});
  EXPECT_EQ(rules.rules.size(), 4U);
}

TEST_F(WeightOverrides, WhatIsWrongChangesNothing) {
  EXPECT_EQ(refusal({{"command", "rsync"}, {"weight", 0}}),
            "weight = 0 is out of range; allowed is a whole number from 1 to 10000");
  EXPECT_EQ(refusal({{"command", "rsync"}, {"weight", "x"}}),
            "weight is not a whole number; allowed is a whole number from 1 to 10000");
  EXPECT_EQ(refusal({{"command", "rsync"}}),
            "rule has no weight; give it a weight from 1 to 10000, a class or a limit");
  EXPECT_EQ(refusal({{"weight", 5}}),
            "rule says nothing about whom it is for; give it at least one of cgroup, command, exe, user, group, pid");
  EXPECT_EQ(refusal({{"flow", "guests"}}),
            "set: flow=guests: it says nothing about what to change; give it a weight, a class or a limit");
  EXPECT_EQ(refusal({{"flow", "strangers"}, {"weight", 5}}),
            "set: flow=strangers: no rule names this flow; name one that the weights file has");
  EXPECT_EQ(refusal({{"pid", 12}, {"weight", 5}}), "set: pid=12: there is no such process; name one that runs");
  EXPECT_TRUE(refusal({{"commend", "rsync"}, {"weight", 5}}).starts_with("key 'commend' is not known; allowed are "));
  EXPECT_EQ(applied, 0);
  EXPECT_TRUE(overrides.list().empty());
  for (std::size_t i = 0; i < cli::WeightOverrides::kMost; ++i) {
    overrides.set({{"user", static_cast<std::int64_t>(i)}, {"weight", 5}});
  }
  EXPECT_EQ(refusal({{"command", "rsync"}, {"weight", 5}}),
            "set: command=rsync: 256 changes are in force; undo one first");
  EXPECT_EQ(refusal({{"user", 7}, {"weight", 6}}), "") << "one that is there may change";
}

}  // namespace
}  // namespace fairfs::test
