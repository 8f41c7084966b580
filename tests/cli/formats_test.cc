// What programs read: CSV, OpenMetrics, recordings, traces. tests/cli/formats.sh holds real output against real
// parsers.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <sstream>

#include "cli/csv_view.h"
#include "cli/openmetrics.h"
#include "cli/readings.h"
#include "cli/stat_show.h"
#include "cli/text.h"
#include "cli/trace_text.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

/// A mount with one flow that has read `reads` times 1000 bytes until `second`.
cli::StatReply reply(std::int64_t second, std::uint64_t reads, std::uint64_t instance = 1) {
  cli::StatReply result;
  result.about.version = "1";
  result.about.mountpoint = "/mnt/\"x\"";
  result.about.instance = instance;
  result.state.wall_s = 1'700'000'000 + second;
  engine::Snapshot snapshot;
  snapshot.taken = sched::Time{std::chrono::seconds{second}};
  snapshot.depth = 16;
  snapshot.device_busy = second * 500ms;
  engine::FlowReading flow;
  flow.key = 7;
  flow.name = "a,\"b\"\nc[9]";
  flow.command = "a";
  flow.pid = 9;
  flow.cgroup = "/x\\y";
  flow.weight = 42;
  flow.counters.reads = reads;
  flow.counters.read_bytes = reads * 1000;
  for (std::uint64_t i = 0; i < reads; ++i) flow.counters.wait.add(2ms);
  snapshot.flows = {flow};
  result.readings = {snapshot};
  return result;
}

std::string recorded(const cli::StatReply& from) {
  return cli::to_line(from.about, from.state, std::array{&from.readings[0]});
}

cli::IntervalView interval() {
  const cli::StatReply before = reply(10, 100), after = reply(11, 150);
  cli::IntervalView result = cli::view(before.readings[0], after.readings[0], true);
  result.about = after.about;
  result.state = after.state;
  return result;
}

TEST(CsvView, QuotesWhatMustBeQuoted) {
  const std::string heading = cli::csv_heading(), lines = cli::to_csv(interval());
  EXPECT_TRUE(heading.starts_with("time,mountpoint,interval_s,device_use,name,command,pid,cgroup,")) << heading;
  EXPECT_TRUE(heading.ends_with("fsync_us_max,ended\r\n"));
  EXPECT_TRUE(
      lines.starts_with("1700000011,\"/mnt/\"\"x\"\"\",1,0.5,\"a,\"\"b\"\"\nc[9]\",a,9,/x\\y,0,-1,42,be,false,"))
      << lines;
  EXPECT_EQ(std::ranges::count(heading, ','), 38);
}

TEST(OpenMetrics, CountersAndLabels) {
  const cli::StatReply mount = reply(10, 100);
  const std::string text = cli::to_openmetrics(std::array{&mount});
  const std::string flow = R"({mountpoint="/mnt/\"x\"",flow="a,\"b\"\\x0ac[9]",cgroup="/x\\y",class="be",id="7"})";
  EXPECT_THAT(text,
              HasSubstr("# TYPE fairfs_flow_reads counter\n# HELP fairfs_flow_reads Reads\nfairfs_flow_reads_total" +
                        flow + " 100\n"));
  EXPECT_THAT(text, HasSubstr("fairfs_flow_weight" + flow + " 42\n"));
  EXPECT_THAT(text, HasSubstr("# UNIT fairfs_device_busy_seconds seconds\n"));
  EXPECT_THAT(text, HasSubstr(R"(fairfs_device_busy_seconds_total{mountpoint="/mnt/\"x\""} 5)"));
  EXPECT_THAT(text, HasSubstr(R"(id="7",le="0.001"} 0)"));
  EXPECT_THAT(text, HasSubstr(R"(id="7",le="0.003"} 100)"));
  EXPECT_THAT(text, HasSubstr(R"(id="7",le="+Inf"} 100)"));
  EXPECT_THAT(text, Not(HasSubstr("fairfs_flow_fsync_seconds_bucket"))) << "it never flushed";
  EXPECT_TRUE(text.ends_with("# EOF\n"));
}

TEST(OpenMetrics, AFamilyStandsTogether) {
  const cli::StatReply one = reply(10, 100), two = reply(10, 200);
  const std::string text = cli::to_openmetrics(std::array{&one, &two});
  const auto first = text.find("fairfs_flow_reads_total"), second = text.find("fairfs_flow_reads_total", first + 1);
  EXPECT_EQ(text.substr(first, second - first).find('#'), std::string::npos);
  EXPECT_EQ(text.find("fairfs_flow_reads_total", second + 1), std::string::npos);
}

class Recorded : public testing::Test {
 protected:
  TemporaryDirectory folder;
  std::string show(const std::string& path, cli::StatOptions::Format format, bool once = false) {
    cli::RecordedReadings readings{path};
    cli::StatOptions options;
    options.format = format;
    options.once = once;
    options.replay = path;
    std::ostringstream out;
    cli::show(readings, options, false, out);
    return out.str();
  }
};

TEST_F(Recorded, IsShownAsItWasSeen) {
  const std::string path = folder.path("r");
  {
    cli::Recorder recorder{path};
    for (int i = 0; i < 4; ++i) recorder.add(recorded(reply(10 + i, 100 + 50 * static_cast<std::uint64_t>(i))));
  }
  const std::string csv = show(path, cli::StatOptions::Format::csv);
  EXPECT_EQ(csv.substr(cli::csv_heading().size(), cli::to_csv(interval()).size()), cli::to_csv(interval()));
  const std::string json = show(path, cli::StatOptions::Format::json);
  EXPECT_EQ(std::ranges::count(json, '\n'), 3) << "four readings, three intervals";
  EXPECT_THAT(json, HasSubstr("\"reads_per_s\":50"));
}

TEST_F(Recorded, AnotherDaemonBeginsAnewAndMountsAreKeptApart) {
  const std::string path = folder.path("r");
  {
    cli::Recorder recorder{path};
    cli::StatReply other = reply(11, 5);
    other.about.mountpoint = "/other";
    recorder.add(recorded(reply(10, 100)));
    recorder.add(recorded(other));
    recorder.add(recorded(reply(12, 7, 2)));  // restarted
    recorder.add(recorded(reply(13, 9, 2)));
  }
  const std::string json = show(path, cli::StatOptions::Format::json);
  EXPECT_EQ(std::ranges::count(json, '\n'), 1);
  EXPECT_THAT(json, HasSubstr("\"reads_per_s\":2"));
}

TEST_F(Recorded, OnceIsTheLastIntervalOfEachMount) {
  const std::string path = folder.path("r");
  cli::Recorder recorder{path};
  const auto once = [&] { return show(path, cli::StatOptions::Format::json, true); };
  recorder.add(recorded(reply(10, 100)));
  EXPECT_EQ(failure_of(once).second, "replay: " + path + ": it has no two readings of one mount; record for longer");
  recorder.add(recorded(reply(11, 105)));
  recorder.add(recorded(reply(12, 112)));
  cli::StatReply other = reply(12, 5);
  other.about.mountpoint = "/other";
  recorder.add(recorded(other));
  other = reply(13, 8);
  other.about.mountpoint = "/other";
  recorder.add(recorded(other));
  EXPECT_EQ(std::ranges::count(once(), '\n'), 2);
  EXPECT_THAT(once(), AllOf(HasSubstr("\"reads_per_s\":7"), HasSubstr("\"reads_per_s\":3")));
}

TEST_F(Recorded, WhatIsNoRecordingIsNamed) {
  const auto line = [&](const std::string& path) {
    return failure_of([&] { (void)show(path, cli::StatOptions::Format::json); }).second;
  };
  EXPECT_EQ(line(folder.path("no")),
            "replay: " + folder.path("no") + ": No such file or directory; name a file that --record wrote");
  const std::string bad = folder.write("bad", recorded(reply(1, 1)) + "\nnonsense\n");
  EXPECT_TRUE(line(bad).starts_with("replay: " + bad + ":2: not understood: ")) << line(bad);
  EXPECT_THAT(failure_of([&] { cli::Recorder{folder.path("no/r")}; }).second,
              HasSubstr("No such file or directory; name a file that can be written"));
}

TEST(TraceText, ThereAndBack) {
  cli::TraceReply sent;
  sent.lost = 3;
  engine::TracedRequest& request = sent.requests.emplace_back();
  request.ended = sched::Time{5s};
  request.flow = "fio[7]";
  request.command = "fio";
  request.pid = 7;
  request.operation = sched::Operation::write;
  request.buffered = true;
  request.inode = 9;
  request.offset = 1ULL << 40;
  request.bytes = 4096;
  request.waited = 3ms;
  request.service = 2ms;
  request.result = -5;
  request.reason = engine::TraceReason::deadline;
  const cli::TraceReply got = cli::parse_trace(cli::to_line(sent));
  EXPECT_EQ(got.lost, 3U);
  ASSERT_EQ(got.requests.size(), 1U);
  EXPECT_EQ(cli::to_trace_json(got.requests[0], 1.5),
            R"({"time":1.5,"flow":"fio[7]","command":"fio","pid":7,"op":"write","buffered":true,"inode":9,)"
            R"("offset":1099511627776,"bytes":4096,"waited_us":3000,"service_us":2000,"result":-5,"why":"deadline"})"
            "\n");
  const std::string line = cli::to_trace_line(got.requests[0], 1.25);
  EXPECT_THAT(line, HasSubstr(".250 " + cli::fit("fio[7]", 21) + "write*"));
  EXPECT_THAT(line, HasSubstr("1099511627776     4096   3.0ms   2.0ms  deadline Input/output error\n"));
  EXPECT_EQ(cli::trace_heading().find("WHY"), line.find("deadline"));
  for (const char* bad : {"", "{}", R"({"lost":0,"requests":[[]]})", R"({"error":"no"})"}) {
    EXPECT_THROW((void)cli::parse_trace(bad), std::runtime_error) << bad;
  }
}

}  // namespace
}  // namespace fairfs::test
