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

TEST(StatOptions, WrongUsageIsNamed) {
  EXPECT_EQ(misuse({"--set", "pid=7", "--reload"}),
            "--set, --unset, --overrides and --reload exclude each other; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--set", "pid=7", "weight=3", "--json"}),
            "--json shows, and changes nothing; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--set", "pid"}), "'pid' is not of the form KEY=VALUE; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--unset", "pid=7,weight=3"}), "--unset takes only whom it is for; see fairfs-stat --help");
  EXPECT_EQ(misuse({"--unset", ""}), "--unset names nothing; see fairfs-stat --help");
  EXPECT_NE(misuse({"--once", "--count", "3"}), "");
  EXPECT_NE(misuse({"--interval", "0.05"}), "");
  EXPECT_NE(misuse({"--count", "0"}), "");
}

}  // namespace
}  // namespace fairfs::test
