#include "cli/live/columns.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/text.h"

namespace fairfs::cli {
namespace {

using Look = LiveColumn::Look;

std::string percent(double fraction) {
  std::array<char, 32> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.1f%%", fraction * 100);
  return buffer.data();
}

/// Nothing instead of a zero: what there is stands out.
std::string or_blank(double value, std::string text) { return value == 0 ? std::string{} : std::move(text); }

std::string class_of(const LiveRow& row) {
  return row.is_group ? std::string{} : std::string{class_word(row.sums.service)};
}

constexpr std::size_t kHistoryWidth = 21, kBarWidth = 13;

template <double FlowView::*member>
constexpr auto kValue = [](const LiveRow& row) { return row.sums.*member; };
template <double FlowView::*member>
constexpr auto kBytes = [](const LiveRow& row) { return or_blank(row.sums.*member, human_bytes(row.sums.*member)); };
template <double FlowView::*member>
constexpr auto kTime = [](const LiveRow& row) { return or_blank(row.sums.*member, human_time(row.sums.*member)); };
template <double FlowView::*member>
constexpr auto kPart = [](const LiveRow& row) { return or_blank(row.sums.*member, percent(row.sums.*member)); };
template <double FlowView::*member>
constexpr auto kCount = [](const LiveRow& row) { return or_blank(row.sums.*member, human_count(row.sums.*member)); };

double requests(const LiveRow& row) { return row.sums.reads_per_s + row.sums.writes_per_s + row.sums.fsyncs_per_s; }

using F = FlowView;
const std::array kColumns{
    LiveColumn{"FLOW", "program[pid], named flow or cgroup", 0, 0, Look::text, nullptr,
               [](const LiveRow& row) { return row.label; }},
    LiveColumn{"WEIGHT", "against its siblings; * set while running", 8, 0, Look::number,
               [](const LiveRow& row) { return static_cast<double>(row.sums.weight); },
               [](const LiveRow& row) { return std::to_string(row.sums.weight) + (row.sums.overridden ? "*" : " "); }},
    LiveColumn{"CLASS", "rt, be or idle: looked at before any weight", 6, 7, Look::number, nullptr, &class_of},
    LiveColumn{"SHARE", "got, as a bar; the mark is what is due", kBarWidth, 3, Look::bar, kValue<&F::share_got>,
               nullptr},
    LiveColumn{"DUE", "share of the disk's time that the weights give it", 7, 1, Look::number, kValue<&F::share_due>,
               kPart<&F::share_due>},
    LiveColumn{"GOT", "share that it got; + it did not ask for more", 8, 0, Look::number, kValue<&F::share_got>,
               [](const LiveRow& row) {
                 return or_blank(row.sums.share_got, percent(row.sums.share_got)) +
                        (row.sums.demand_limited ? "+" : " ");
               }},
    LiveColumn{"READ/s", "bytes read, from the page cache too", 7, 1, Look::number, kValue<&F::read_bytes_per_s>,
               kBytes<&F::read_bytes_per_s>},
    LiveColumn{"WRITE/s", "bytes written, to the page cache too", 8, 1, Look::number, kValue<&F::write_bytes_per_s>,
               kBytes<&F::write_bytes_per_s>},
    LiveColumn{"REQ/s", "reads, writes and flushes", 6, 6, Look::number, &requests,
               [](const LiveRow& row) { return or_blank(requests(row), human_count(requests(row))); }},
    LiveColumn{"HITS/s", "reads that the page cache answered", 7, 8, Look::number, kValue<&F::cached_per_s>,
               kCount<&F::cached_per_s>},
    LiveColumn{"META/s", "requests for names and attributes", 7, 11, Look::number, kValue<&F::metadata_per_s>,
               kCount<&F::metadata_per_s>},
    LiveColumn{"QUEUE", "requests that wait for their turn now", 6, 2, Look::number,
               [](const LiveRow& row) { return static_cast<double>(row.sums.queued); },
               [](const LiveRow& row) { return or_blank(row.sums.queued, std::to_string(row.sums.queued)); }},
    LiveColumn{"WAIT50", "half waited no longer for their turn", 7, 9, Look::number, kValue<&F::wait_us_p50>,
               kTime<&F::wait_us_p50>},
    LiveColumn{"WAIT99", "99 of 100 waited no longer for their turn", 7, 2, Look::number, kValue<&F::wait_us_p99>,
               kTime<&F::wait_us_p99>},
    LiveColumn{"DISK50", "half were in the disk no longer", 7, 10, Look::number, kValue<&F::service_us_p50>,
               kTime<&F::service_us_p50>},
    LiveColumn{"DISK99", "99 of 100 were in the disk no longer", 7, 9, Look::number, kValue<&F::service_us_p99>,
               kTime<&F::service_us_p99>},
    LiveColumn{"SYNC99", "99 of 100 fsyncs took no longer", 7, 6, Look::number, kValue<&F::fsync_us_p99>,
               kTime<&F::fsync_us_p99>},
    LiveColumn{"DIRTY", "written and not yet on the disk", 6, 9, Look::number,
               [](const LiveRow& row) { return static_cast<double>(row.sums.dirty_bytes); },
               [](const LiveRow& row) {
                 const auto bytes = static_cast<double>(row.sums.dirty_bytes);
                 return or_blank(bytes, human_bytes(bytes));
               }},
    LiveColumn{"THROTTLE", "part of the time its writes waited for its own write-behind", 9, 10, Look::number,
               kValue<&F::throttled>, kPart<&F::throttled>},
    LiveColumn{"STARVED", "part of the time it waited over a second with nothing done", 8, 8, Look::number,
               kValue<&F::starved>, kPart<&F::starved>},
    LiveColumn{"LAST MINUTE", "share that it got", kHistoryWidth, 5, Look::history, kValue<&F::share_got>, nullptr},
    LiveColumn{"USER", "whose process it is", 10, 12, Look::text, nullptr, [](const LiveRow& row) { return row.user; }},
    LiveColumn{"CGROUP", "where its process is", 24, 4, Look::text, nullptr,
               [](const LiveRow& row) { return printable(row.sums.cgroup); }},
};

}  // namespace

std::span<const LiveColumn> live_columns() { return kColumns; }

std::vector<std::size_t> columns_that_fit(std::size_t width, bool tree) {
  std::vector<std::size_t> places(kColumns.size() - 1);
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i + 1;
  if (tree) std::erase(places, column_place("CGROUP"));
  std::ranges::stable_sort(places, {}, [](std::size_t place) { return kColumns[place].rank; });
  std::size_t taken = kNameLeast;
  std::vector<std::size_t> result{0};
  for (const std::size_t place : places) {
    if (taken + kColumns[place].width > width) continue;
    taken += kColumns[place].width;
    result.push_back(place);
  }
  std::ranges::sort(result);
  return result;
}

std::size_t column_place(std::string_view heading) {
  const auto* const found = std::ranges::find(kColumns, heading, &LiveColumn::heading);
  return static_cast<std::size_t>(found - kColumns.begin());
}

}  // namespace fairfs::cli
