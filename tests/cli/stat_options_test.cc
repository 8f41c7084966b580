#include "cli/stat_options.h"

#include <gtest/gtest.h>

#include <vector>

#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

using cli::RuleWords;
using cli::StatOptions;
using Words = std::vector<const char*>;
using Action = StatOptions::Action;

std::string misuse(const Words& words) {
  const auto [status, line] = failure_of([&] { (void)cli::parse_stat_options(words); });
  EXPECT_EQ(status, 2) << line;
  return line;
}

TEST(StatOptions, ChangesTakeTheirWords) {
  const StatOptions set = cli::parse_stat_options(Words{"--set", "command=rsync,user=1000", "weight=20", "class=idle"});
  EXPECT_EQ(set.action, Action::set);
  EXPECT_EQ(set.words, (RuleWords{{"command", "rsync"}, {"user", 1000}, {"weight", 20}, {"class", "idle"}}));
  EXPECT_TRUE(set.mountpoints.empty());
  const StatOptions there = cli::parse_stat_options(Words{"/mnt/a=b", "--set", "pid=7", "weight=20"});
  EXPECT_EQ(there.mountpoints, std::vector<std::string>{"/mnt/a=b"});
  EXPECT_EQ(cli::parse_stat_options(Words{"--set", "pid=7", "weight=20", "./a=b"}).mountpoints[0], "./a=b");
  const StatOptions unset = cli::parse_stat_options(Words{"/mnt", "--unset", "flow=guests"});
  EXPECT_EQ(unset.action, Action::unset);
  EXPECT_EQ(unset.words, (RuleWords{{"flow", "guests"}}));
  EXPECT_EQ(unset.mountpoints, std::vector<std::string>{"/mnt"});
  EXPECT_TRUE(cli::parse_stat_options(Words{"--unset", "all"}).words.empty());
  EXPECT_EQ(cli::parse_stat_options(Words{"--overrides"}).action, Action::overrides);
  EXPECT_EQ(cli::parse_stat_options(Words{"--reload"}).action, Action::reload);
  EXPECT_EQ(cli::parse_stat_options(Words{"/mnt"}).action, Action::show);
}

TEST(StatOptions, WhatIsShown) {
  EXPECT_EQ(cli::parse_stat_options(Words{}).format, StatOptions::Format::table);
  EXPECT_EQ(cli::parse_stat_options(Words{"--csv"}).format, StatOptions::Format::csv);
  EXPECT_EQ(cli::parse_stat_options(Words{"--openmetrics", "/a", "/b"}).mountpoints.size(), 2U);
  const StatOptions kept =
      cli::parse_stat_options(Words{"--record", "f", "--interval", "0.5", "--count", "3", "--json"});
  EXPECT_EQ(kept.record, "f");
  EXPECT_EQ(kept.interval_s, 0.5);
  EXPECT_TRUE(kept.has_interval);
  EXPECT_EQ(kept.count, 3U);
  EXPECT_EQ(kept.format, StatOptions::Format::json);
  EXPECT_EQ(cli::parse_stat_options(Words{"--replay", "f"}).replay, "f");
  const StatOptions why = cli::parse_stat_options(Words{"/mnt", "--explain", "17"});
  EXPECT_EQ(why.action, Action::explain);
  EXPECT_EQ(why.pid, 17);
}

TEST(StatOptions, TraceTakesConditions) {
  const StatOptions trace = cli::parse_stat_options(Words{"--trace", "op=write", "flow=fio", "/mnt", "pid=7", "inode=9",
                                                          "longer=1.5ms", "why=deadline", "command=x"});
  EXPECT_EQ(trace.action, Action::trace);
  EXPECT_EQ(trace.mountpoints, std::vector<std::string>{"/mnt"});
  EXPECT_EQ(trace.filter.operation, sched::Operation::write);
  EXPECT_EQ(trace.filter.flow, "fio");
  EXPECT_EQ(trace.filter.command, "x");
  EXPECT_EQ(trace.filter.pid, 7);
  EXPECT_EQ(trace.filter.inode, 9U);
  EXPECT_EQ(trace.filter.longer, std::chrono::microseconds{1500});
  EXPECT_EQ(trace.filter.why, engine::TraceReason::deadline);
}

TEST(TraceFilter, AllConditionsMustHold) {
  engine::TracedRequest request;
  request.flow = "fio[7]";
  request.command = "fio";
  request.pid = 7;
  request.inode = 9;
  request.waited = std::chrono::milliseconds{3};
  request.service = std::chrono::milliseconds{2};
  const auto passes = [&](std::initializer_list<const char*> conditions) {
    cli::TraceFilter filter;
    for (const char* condition : conditions) cli::add_condition(filter, condition);
    return filter.lets_through(request);
  };
  EXPECT_TRUE(passes({}));
  EXPECT_TRUE(passes({"flow=io[", "command=fio", "pid=7", "inode=9", "op=read", "why=share", "longer=5ms"}));
  for (const char* other : {"flow=tar", "command=fi", "pid=8", "inode=8", "op=sync", "why=alone", "longer=5001us"}) {
    EXPECT_FALSE(passes({"pid=7", other})) << other;
  }
}

TEST(StatOptions, WrongUsageIsNamed) {
  EXPECT_EQ(misuse({"--set", "pid=7", "--reload"}), "--set and --reload exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--set", "pid=7", "weight=3", "--json"}),
            "--set and --json exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--set", "pid"}), "'pid' is not of the form KEY=VALUE; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--unset", "pid=7,weight=3"}), "--unset takes only whom it is for; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--unset", ""}), "--unset names nothing; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--once", "--count", "3"}), "--once and --count exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--json", "--csv"}), "--json and --csv exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--openmetrics", "--interval", "3"}),
            "--openmetrics and --interval exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--replay", "f", "/mnt"}),
            "--replay takes no MOUNTPOINT: the file says which it was; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--replay", "f", "--record", "g"}),
            "--record and --replay exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--explain", "0"}), "--explain: '0' is not a process id; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--explain", "me"}), "--explain: 'me' is not a process id; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--trace", "op=move"}), "--trace: 'op=move': allowed is read, write, sync; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--trace", "longer=20"}),
            "--trace: 'longer=20': allowed is a time such as 500us, 20ms or 1.5s; see fairfs-stat --help");
  EXPECT_EQ(
      misuse({"--trace", "size=20"}),
      "--trace: 'size=20': allowed is flow=, command=, pid=, inode=, op=, why= or longer=; see fairfs-stat --help");
  EXPECT_NE(misuse({"--interval", "0.05"}), "");
  EXPECT_NE(misuse({"--count", "0"}), "");
}

}  // namespace
}  // namespace fairfs::test
