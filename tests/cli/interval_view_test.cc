#include "cli/interval_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/json_view.h"
#include "cli/table_view.h"
#include "cli/text.h"
#include "tests/cli/live/sample_interval.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using cli::IntervalView;
using engine::FlowReading;
using engine::Snapshot;

/// Two seconds of a disk that was busy for one: flow 1 of weight 300 kept a backlog and got 3/4 of it, flow 2 of weight
/// 100 waited in half of the interval and got 1/4.
struct TwoSeconds {
  Snapshot before, after;
  TwoSeconds() {
    before.taken = sched::Time{10s};
    after.taken = sched::Time{12s};
    before.depth = after.depth = 8;
    after.in_flight = 3;
    before.device_busy = 5s;
    after.device_busy = 6s;
    before.device_time = 40s;
    after.device_time = 44s;
    before.decisions = 1000;
    after.decisions = 3000;
    before.decision_time = 1ms;
    after.decision_time = 2ms;
    before.flows = {flow(1, "fio[1]", 300, 0.75), flow(2, "cp[2]", 100, 0.25)};
    after.flows = before.flows;
    auto& first = after.flows[0].counters;
    first.reads += 200;
    first.read_bytes += 200 * 4096;
    first.syncs += 3;
    first.device_time += 3s;
    first.backlogged += 2s;
    first.active += 2s;
    for (int i = 0; i < 100; ++i) first.wait.add(1ms);
    auto& second = after.flows[1].counters;
    second.writes += 50;
    second.write_bytes += 50 * 1000;
    second.cached += 7;
    second.metadata += 9;
    second.device_time += 1s;
    second.backlogged += 1s;
    second.active += 2s;
    after.flows[1].queued = 5;
  }
  static FlowReading flow(std::uint64_t key, const char* name, sched::Weight weight, double due) {
    FlowReading result;
    result.key = key;
    result.name = name;
    result.command = "x";
    result.cgroup = "/a";
    result.weight = weight;
    result.share_due = due;
    result.counters.reads = 1000 * key;  // what was before must not count
    result.counters.device_time = 7s;
    result.counters.backlogged = 3s;
    result.counters.active = 4s;
    result.counters.wait.add(1s);
    return result;
  }
};

TEST(IntervalView, SubtractsAndDivides) {
  const TwoSeconds two;
  const IntervalView view = cli::view(two.before, two.after, true);
  EXPECT_DOUBLE_EQ(view.interval_s, 2.0);
  EXPECT_DOUBLE_EQ(view.device_use, 0.5);     // 1 s of 2 s
  EXPECT_DOUBLE_EQ(view.decision_ns, 500.0);  // 1 ms in 2000
  EXPECT_EQ(view.depth, 8U);
  EXPECT_EQ(view.in_flight, 3U);
  ASSERT_EQ(view.flows.size(), 2U);
  EXPECT_DOUBLE_EQ(view.flows[0].share_got, 0.75);  // 3 s of 4 s
  EXPECT_DOUBLE_EQ(view.flows[0].reads_per_s, 100.0);
  EXPECT_DOUBLE_EQ(view.flows[0].read_bytes_per_s, 409600.0);
  EXPECT_DOUBLE_EQ(view.flows[0].fsyncs_per_s, 1.5);
  EXPECT_NEAR(view.flows[0].wait_us_p50, 1000.0, 70.0);  // a bucket is +-6 %
  EXPECT_NEAR(view.flows[0].wait_us_p99, 1000.0, 70.0);  // the second that was before is not in it
  EXPECT_DOUBLE_EQ(view.flows[0].service_us_p99, 0.0);
  EXPECT_DOUBLE_EQ(view.flows[1].share_got, 0.25);
  EXPECT_DOUBLE_EQ(view.flows[1].writes_per_s, 25.0);
  EXPECT_DOUBLE_EQ(view.flows[1].write_bytes_per_s, 25000.0);
  EXPECT_DOUBLE_EQ(view.flows[1].cached_per_s, 3.5);
  EXPECT_DOUBLE_EQ(view.flows[1].metadata_per_s, 4.5);
  EXPECT_EQ(view.flows[1].queued, 5U);
  EXPECT_TRUE(view.weights_in_force);
  EXPECT_EQ(view.reason, "2 flows backlogged");
}

TEST(IntervalView, AFlowThatIsNewHadNothingBefore) {
  TwoSeconds two;
  two.before.flows.pop_back();
  const IntervalView view = cli::view(two.before, two.after, true);
  EXPECT_DOUBLE_EQ(view.flows[1].reads_per_s, 1000.0);  // all 2000 of flow 2 in 2 s
}

TEST(IntervalView, LessThanDueWithoutABacklogIsDemandLimited) {
  TwoSeconds two;
  two.after.flows[1].share_due = 0.5;
  EXPECT_FALSE(cli::view(two.before, two.after, true).flows[1].demand_limited);  // half the time backlogged
  two.after.flows[1].counters.backlogged -= 100ms;
  EXPECT_TRUE(cli::view(two.before, two.after, true).flows[1].demand_limited);
  two.after.flows[1].share_due = 0.26;  // within 5 % of what it got
  EXPECT_FALSE(cli::view(two.before, two.after, true).flows[1].demand_limited);
}

TEST(IntervalView, SaysWhyWeightsAreNotInForce) {
  const auto reason = [](const TwoSeconds& two, bool scheduling = true) {
    const IntervalView view = cli::view(two.before, two.after, scheduling);
    EXPECT_FALSE(view.weights_in_force) << view.reason;
    return view.reason;
  };
  TwoSeconds two;
  EXPECT_EQ(reason(two, false), "sched=off");
  two.after.flows[1].counters.backlogged = two.before.flows[1].counters.backlogged;
  EXPECT_EQ(reason(two), "only one flow backlogged");
  two.after.flows[0].counters.backlogged = two.before.flows[0].counters.backlogged;
  EXPECT_EQ(reason(two), "no flow backlogged");
  two.after.flows[1].counters.active = two.before.flows[1].counters.active;
  EXPECT_EQ(reason(two), "only one active flow");
  two.after.flows = two.before.flows;
  EXPECT_EQ(reason(two), "idle");
  two.after.flows[0].counters.metadata += 1;
  EXPECT_EQ(reason(two), "only metadata");
  two.after.flows[0].counters.cached += 1;
  EXPECT_EQ(reason(two), "all reads cached");
}

TEST(IntervalView, NothingDividesByZero) {
  const TwoSeconds two;
  const IntervalView view = cli::view(two.after, two.after, true);
  EXPECT_EQ(view.device_use, 0.0);
  EXPECT_EQ(view.decision_ns, 0.0);
  EXPECT_EQ(view.flows[0].share_got, 0.0);
  EXPECT_EQ(view.flows[0].reads_per_s, 0.0);
  EXPECT_TRUE(cli::view({}, {}, true).flows.empty());
}

TEST(JsonView, HasExactlyTheFieldsOfTheManual) {
  const TwoSeconds two;
  IntervalView view = cli::view(two.before, two.after, true);
  view.about.mountpoint = "/mnt";
  view.flows[0].command = "a\xff\nb";
  const std::string line = cli::to_json_line(view);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::ordered_json::parse(line);
  const auto keys = [](const nlohmann::ordered_json& object) {
    std::string result;
    for (const auto& [key, value] : object.items()) result += key + " ";
    return result;
  };
  EXPECT_EQ(keys(json),
            "version mountpoint source time interval_s depth in_flight queued device_use slowness decision_ns "
            "weights_in_force reason profile disk elevator disk_bytes_per_s foreign_bytes_per_s processor_use "
            "processor_bound dirty_bytes writing_bytes held_bytes fsync_us_p99 alerts groups flows ");
  EXPECT_EQ(keys(json["flows"][0]),
            "name command pid cgroup uid group weight class overridden share_due share_got backlogged demand_limited "
            "read_bytes_per_s write_bytes_per_s reads_per_s writes_per_s fsyncs_per_s cached_per_s metadata_per_s "
            "queued in_flight wait_us_p50 wait_us_p99 service_us_p50 service_us_p99 dirty_bytes writing_bytes "
            "written_behind_bytes_per_s throttled starved fsync_us_p50 fsync_us_p99 fsync_us_max ended ");
  EXPECT_EQ(json["flows"][0]["share_got"], 0.75);
  EXPECT_EQ(json["flows"][0]["command"], "a\uFFFD\nb");
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char letter : text) letter == '\n' ? lines.emplace_back() : lines.back() += letter;
  lines.pop_back();
  return lines;
}

TEST(TableView, IsAlignedAndSortedByWhatWasGot) {
  const TwoSeconds two;
  IntervalView view = cli::view(two.before, two.after, true);
  view.about.mountpoint = "/mnt";
  view.about.source = "/data";
  std::swap(view.flows[0], view.flows[1]);
  view.flows.push_back(view.flows[0]);
  view.flows.back().name = "ab";
  const auto lines = lines_of(cli::to_table(view));
  ASSERT_EQ(lines.size(), 7U);
  EXPECT_EQ(lines[0], "/mnt <- /data");
  EXPECT_EQ(lines[1], "device 50.0% used, 3 of 8 slots taken, weights in force: 2 flows backlogged");
  EXPECT_EQ(lines[3],
            "FLOW               CGROUP            WEIGHT    DUE    GOT  READ/s WRITE/s SYNC/s QUEUE WAIT50 WAIT99");
  EXPECT_EQ(lines[4].substr(0, 73), "fio[1]             /a                   300  75.0%  75.0%    400K       0");
  EXPECT_TRUE(lines[5].starts_with("ab ")) << lines[5];
  EXPECT_TRUE(lines[6].starts_with("cp[2] ")) << lines[6];
  for (std::size_t i = 3; i < lines.size(); ++i) EXPECT_EQ(cli::width(lines[i]), cli::width(lines[3])) << lines[i];
  EXPECT_LE(cli::width(lines[3]), 100U);
}

TEST(TableView, GroupsHaveARowAsInTheLiveView) {
  const auto lines = lines_of(cli::to_table(sample_interval()));
  ASSERT_EQ(lines.size(), 4U + 10)
      << "four groups beside the six flows: processes in a cgroup only beside other cgroups";
  EXPECT_EQ(lines[4].substr(0, 57), "/db                /db                  300  75.0%  70.0%");
  EXPECT_TRUE(lines[5].starts_with(" (processes)       /db ")) << lines[5];
  EXPECT_TRUE(lines[6].starts_with("  postgres[10]     /db ")) << lines[6];
  EXPECT_TRUE(lines[8].starts_with(" backup            /db/backup ")) << lines[8];
  for (const std::string& line : lines) EXPECT_LE(cli::width(line), 100U);
}

TEST(TableView, SaysWhatSomebodyShouldKnow) {
  const TwoSeconds two;
  IntervalView view = cli::view(two.before, two.after, true);
  view.slowness = 2.96;  // whether that means something is the alerts' matter
  EXPECT_EQ(lines_of(cli::to_table(view)).size(), 6U);
  view.state.alerts = {"it burns", "and \033[2J stinks"};
  view.state.processor_bound = true;
  const auto lines = lines_of(cli::to_table(view));
  EXPECT_EQ(lines.size(), 8U);
  EXPECT_THAT(lines[1], testing::EndsWith("2 flows backlogged; the processors are the limit, not the disk"));
  EXPECT_EQ(lines[2], "alert: it burns");
  EXPECT_EQ(lines[3], "alert: and \\x1b[2J stinks");
}

TEST(TableView, StrangeNamesNeitherBreakTheTableNorTheTerminal) {
  const TwoSeconds two;
  IntervalView view = cli::view(two.before, two.after, true);
  view.flows.resize(1);
  view.flows[0].name = "\033[2Jx\n";
  view.flows[0].cgroup = "/a/very/long/path/of/a\tcgroup.service";
  view.flows[0].weight = 10000;
  view.flows[0].demand_limited = true;
  view.flows[0].queued = 99999;
  view.flows[0].write_bytes_per_s = 1e15;
  view.flows[0].wait_us_p99 = 4e9;
  view.flows[0].share_due = view.flows[0].share_got = 1.0;
  const auto lines = lines_of(cli::to_table(view));
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_TRUE(lines[4].starts_with("\\x1b[2Jx\\x0a       ~")) << lines[4];
  EXPECT_NE(lines[4].find("cgroup.service "), std::string::npos);
  EXPECT_NE(lines[4].find("100.0%+"), std::string::npos);
  EXPECT_EQ(cli::width(lines[4]), cli::width(lines[3]));
}

TEST(Text, EscapesWhatATerminalActsOn) {
  EXPECT_EQ(cli::printable("a\x1b\x7f\xff\xc2\x9b\xc3\xa4\xed\xa0\x80"),
            "a\\x1b\\x7f\\xff\\xc2\\x9b\xc3\xa4\\xed\\xa0\\x80");
  EXPECT_EQ(cli::printable("\xe2\x82"), "\\xe2\\x82");
}

TEST(Text, FitsColumnsNotBytes) {
  EXPECT_EQ(cli::width("\xc3\xa4z"), 2U);
  EXPECT_EQ(cli::fit("\xc3\xa4z", 4), "\xc3\xa4z  ");
  EXPECT_EQ(cli::fit("\xc3\xa4\xc3\xb6zz", 3), "\xc3\xa4\xc3\xb6~");
  EXPECT_EQ(cli::fit("zz\xc3\xa4\xc3\xb6", 3, cli::Keep::tail), "~\xc3\xa4\xc3\xb6");
  EXPECT_EQ(cli::right("7", 3), "  7");
}

TEST(Text, UnitsStayWithinSixCharacters) {
  EXPECT_EQ(cli::human_bytes(0), "0");
  EXPECT_EQ(cli::human_bytes(1023), "1023");
  EXPECT_EQ(cli::human_bytes(1024), "1.0K");
  EXPECT_EQ(cli::human_bytes(1536), "1.5K");
  EXPECT_EQ(cli::human_bytes(10.0 * 1024 * 1024), "10M");
  EXPECT_EQ(cli::human_bytes(1023.7 * 1024), "1.0M");
  EXPECT_EQ(cli::human_time(0), "0");
  EXPECT_EQ(cli::human_time(850), "850us");
  EXPECT_EQ(cli::human_time(1200), "1.2ms");
  EXPECT_EQ(cli::human_time(34000), "34ms");
  EXPECT_EQ(cli::human_time(999'600), "1.0s");
  EXPECT_EQ(cli::human_count(0.5), "0.5");
  EXPECT_EQ(cli::human_count(12), "12");
  EXPECT_EQ(cli::human_count(120'000), "120k");
}

TEST(LabelOf, AnEndedProcessHasNoNumberAnyMore) {
  cli::FlowView flow;
  flow.name = "fio[7][77]";
  flow.pid = 77;
  EXPECT_EQ(cli::label_of(flow), "fio[7][77]");
  flow.ended = true;
  EXPECT_EQ(cli::label_of(flow), "fio[7][ended]");
  flow.name = "guests";
  EXPECT_EQ(cli::label_of(flow), "guests");
}

}  // namespace
}  // namespace fairfs::test
