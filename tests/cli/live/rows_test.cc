#include "cli/live/rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/cli/live/sample_interval.h"

namespace fairfs::test {
namespace {

using cli::LiveChoice;
using cli::LiveRow;
using cli::RuleWords;
using testing::ElementsAre;

std::vector<std::string> shown(const LiveChoice& choice) { return labels(cli::live_rows(sample_interval(), choice)); }

const LiveRow& row_of(const std::vector<LiveRow>& rows, const std::string& label) {
  return *std::ranges::find(rows, label, &LiveRow::label);
}

TEST(LiveRows, ATreeSumsItsGroupsAndPutsTheLargestFirst) {
  const auto rows = cli::live_rows(sample_interval(), sample_choice());
  EXPECT_THAT(labels(rows), ElementsAre("/db", ">(processes)", ">>postgres[10]", ">>checkpointer[11]", ">backup",
                                        ">>tar[12]", "guests", "/web", ">nginx[13]", "(kernel)"));
  const LiveRow& db = rows[0];
  EXPECT_TRUE(db.is_group);
  EXPECT_DOUBLE_EQ(db.sums.share_got, 0.7);
  EXPECT_DOUBLE_EQ(db.sums.share_due, 0.75);
  EXPECT_DOUBLE_EQ(db.sums.reads_per_s, 70);
  EXPECT_DOUBLE_EQ(db.sums.wait_us_p99, 900) << "of times the worst counts";
  EXPECT_EQ(db.sums.dirty_bytes, 5000U);
  EXPECT_EQ(db.sums.weight, 300) << "its own, not a sum";
}

TEST(LiveRows, FlatIsFlowsAlone) {
  LiveChoice choice = sample_choice();
  choice.tree = false;
  EXPECT_THAT(shown(choice),
              ElementsAre("postgres[10]", "guests", "checkpointer[11]", "tar[12]", "nginx[13]", "(kernel)"));
}

TEST(LiveRows, SortByAnyColumnAndTurnedRound) {
  LiveChoice choice = sample_choice();
  choice.tree = false;
  choice.sort_by = cli::column_place("FLOW");
  EXPECT_THAT(shown(choice),
              ElementsAre("(kernel)", "checkpointer[11]", "guests", "nginx[13]", "postgres[10]", "tar[12]"));
  choice.reversed = true;
  EXPECT_EQ(shown(choice).front(), "tar[12]");
  choice.reversed = false;
  choice.sort_by = cli::column_place("WAIT99");
  EXPECT_THAT(shown(choice),
              ElementsAre("checkpointer[11]", "postgres[10]", "(kernel)", "guests", "nginx[13]", "tar[12]"))
      << "what is equal goes by name";
  choice.sort_by = cli::column_place("WEIGHT");
  EXPECT_EQ(shown(choice).back(), "guests");
  choice.sort_by = cli::column_place("USER");
  EXPECT_EQ(shown(choice).back(), "tar[12]") << "bob before root";
  for (std::size_t place = 0; place < cli::live_columns().size(); ++place) {
    choice.sort_by = place;
    EXPECT_EQ(shown(choice).size(), 6U) << cli::live_columns()[place].heading;
  }
}

TEST(LiveRows, SharesThatLookTheSameKeepTheirPlaces) {
  cli::IntervalView interval = sample_interval();
  LiveChoice choice = sample_choice();
  choice.tree = false;
  interval.flows[1].share_got = 0.40004;  // 40.0 %, as postgres
  EXPECT_EQ(labels(cli::live_rows(interval, choice))[0], "checkpointer[11]");
  interval.flows[1].share_got = 0.39996;
  EXPECT_EQ(labels(cli::live_rows(interval, choice))[0], "checkpointer[11]");
}

TEST(LiveRows, FilterKeepsWhatMatchesAndTheGroupsAboveIt) {
  LiveChoice choice = sample_choice();
  choice.filter = "TAR";
  EXPECT_THAT(shown(choice), ElementsAre("/db", ">backup", ">>tar[12]"));
  choice.filter = "/web";
  EXPECT_THAT(shown(choice), ElementsAre("/web", ">nginx[13]"));
  choice.filter = "root";
  EXPECT_THAT(shown(choice), ElementsAre("/db", ">backup", ">>tar[12]"));
  choice.filter = "[13]";
  EXPECT_THAT(shown(choice), ElementsAre("/web", ">nginx[13]"));
  choice.filter = "no such thing";
  EXPECT_THAT(shown(choice), ElementsAre());
}

TEST(LiveRows, ClosedGroupsKeepTheirSums) {
  LiveChoice choice = sample_choice();
  choice.collapsed = {"cgroup:/db"};
  const auto rows = cli::live_rows(sample_interval(), choice);
  EXPECT_THAT(labels(rows), ElementsAre("/db", "guests", "/web", ">nginx[13]", "(kernel)"));
  EXPECT_FALSE(rows[0].expanded);
  EXPECT_DOUBLE_EQ(rows[0].sums.share_got, 0.7);
}

TEST(LiveRows, IdleOnesCanBeHidden) {
  LiveChoice choice = sample_choice();
  choice.hide_idle = true;
  const auto all = shown(choice);
  EXPECT_EQ(std::ranges::find(all, "(kernel)"), all.end());
  EXPECT_EQ(all.size(), 9U);
}

TEST(LiveRows, KnowWhomAChangeIsFor) {
  const auto rows = cli::live_rows(sample_interval(), sample_choice());
  EXPECT_EQ(row_of(rows, "postgres[10]").whom, (RuleWords{{"pid", 10}}));
  EXPECT_EQ(row_of(rows, "guests").whom, (RuleWords{{"flow", "guests"}}));
  EXPECT_EQ(row_of(rows, "backup").whom, (RuleWords{{"cgroup", "/db/backup"}}));
  EXPECT_EQ(row_of(rows, "(kernel)").whom, RuleWords{});
  EXPECT_EQ(row_of(rows, "(processes)").whom, RuleWords{});
  EXPECT_TRUE(row_of(rows, "/web").sums.overridden);
}

TEST(LiveRows, UsersAreGroupsToo) {
  cli::IntervalView interval = sample_interval();
  interval.groups = {{engine::GroupKind::user, "", 1000, -1, 100, false}};
  for (auto& flow : interval.flows) flow.group = -1;
  interval.flows[0].group = 0;
  const auto rows = cli::live_rows(interval, sample_choice());
  EXPECT_EQ(labels(rows)[0], "user bob");
  EXPECT_EQ(rows[0].whom, (RuleWords{{"user", 1000}}));
}

TEST(LiveRows, StrangeNamesAreEscaped) {
  cli::IntervalView interval = sample_interval();
  interval.flows[0].name = "a\nb\x1b[2J[10]";
  const auto rows = cli::live_rows(interval, sample_choice());
  EXPECT_EQ(rows[2].label, "a\\x0ab\\x1b[2J[10]");
}

TEST(LiveRows, NothingIsNothing) { EXPECT_TRUE(cli::live_rows({}, sample_choice()).empty()); }

}  // namespace
}  // namespace fairfs::test
