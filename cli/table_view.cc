#include "cli/table_view.h"

#include <array>
#include <cstdio>
#include <numeric>
#include <vector>

#include "cli/live/columns.h"
#include "cli/live/rows.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

struct Column {
  std::string_view heading;
  std::size_t width;  ///< columns, the space between included
  std::string (*cell)(const FlowView&);
};

std::string percent(double fraction) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f%%", fraction * 100);
  return buffer.data();
}

/// To the left of these stand two columns of text.
constexpr std::size_t kNameWidth = 18, kCgroupWidth = 17;
constexpr std::array kColumns{
    Column{"WEIGHT", 7, [](const FlowView& flow) { return std::to_string(flow.weight); }},
    Column{"DUE", 7, [](const FlowView& flow) { return percent(flow.share_due); }},
    Column{"GOT ", 8, [](const FlowView& flow) { return percent(flow.share_got) + (flow.demand_limited ? "+" : " "); }},
    Column{"READ/s", 7, [](const FlowView& flow) { return human_bytes(flow.read_bytes_per_s); }},
    Column{"WRITE/s", 8, [](const FlowView& flow) { return human_bytes(flow.write_bytes_per_s); }},
    Column{"SYNC/s", 7, [](const FlowView& flow) { return human_count(flow.fsyncs_per_s); }},
    Column{"QUEUE", 6, [](const FlowView& flow) { return std::to_string(flow.queued); }},
    Column{"WAIT50", 7, [](const FlowView& flow) { return human_time(flow.wait_us_p50); }},
    Column{"WAIT99", 7, [](const FlowView& flow) { return human_time(flow.wait_us_p99); }},
};
constexpr std::size_t kWidth =
    std::accumulate(kColumns.begin(), kColumns.end(), kNameWidth + 1 + kCgroupWidth,
                    [](std::size_t sum, const Column& column) { return sum + column.width; });
static_assert(kWidth <= kTableWidth, "the table must fit a terminal of 100 columns");

std::string heading() {
  std::string line = fit("FLOW", kNameWidth) + " " + fit("CGROUP", kCgroupWidth);
  for (const Column& column : kColumns) line += right(column.heading, column.width);
  return line + "\n";
}

std::string row(const LiveRow& row) {
  // Of a cgroup's path the end says most, of a name the beginning.
  std::string line = fit(std::string(row.depth, ' ') + row.label, kNameWidth) + " " +
                     fit(printable(row.sums.cgroup), kCgroupWidth, Keep::tail);
  for (const Column& column : kColumns) line += right(column.cell(row.sums), column.width);
  return line + "\n";
}

std::string alerts(const IntervalView& interval) {
  std::string result;
  for (const std::string& alert : interval.state.alerts) result += "alert: " + printable(alert) + "\n";
  return result;
}

}  // namespace

std::string to_table(const IntervalView& interval) {
  std::string result = printable(interval.about.mountpoint) + " <- " + printable(interval.about.source) + "\n";
  result += "device " + percent(interval.device_use) + " used, " + std::to_string(interval.in_flight) + " of " +
            std::to_string(interval.depth) + " slots taken, weights " + weights_words(interval) + "\n" +
            alerts(interval) + "\n" + heading();
  LiveChoice choice;  // the tree as in the live view, all of it open
  choice.sort_by = column_place("GOT");
  const std::vector<LiveRow> rows = live_rows(interval, choice);
  for (const LiveRow& each : rows) result += row(each);
  if (rows.empty()) result += "(no requests in the last 10 s)\n";
  return result;
}

}  // namespace fairfs::cli
