// The live view's header: what the disk does and whether weights are in force, in words.
#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/live/draw.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

constexpr std::size_t kLabel = 9, kUseBar = 22;
/// At least, so that the rows stay where they are as long as nothing is wrong.
constexpr std::size_t kHeaderLines = 6;
/// A lower terminal needs its lines for the rows. Lines of the profile and of an alert, which is what one must know.
constexpr std::size_t kLinesForMore = 24, kProfileLines = 2, kAlertLines = 3;
/// Below this foreign traffic is the noise of an estimate.
constexpr double kForeignLeast_bytes = 64 * 1024;

std::string format(const char* pattern, double value) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, value);
  return buffer.data();
}

LiveLine labelled(std::string_view label, std::string text, LiveLook look = LiveLook::plain) {
  return {{fit(label, kLabel), LiveLook::label}, {std::move(text), look}};
}

/// The same in as many lines as it takes, at most `most`.
void add_wrapped(std::vector<LiveLine>& lines, std::string_view label, const std::string& text, LiveSize size,
                 std::size_t most, LiveLook look = LiveLook::plain) {
  const std::size_t left = size.columns - std::min(size.columns, kLabel);
  for (std::string& part : wrap(text, left, size.lines < kLinesForMore ? 1 : most)) {
    lines.push_back(labelled(label, std::move(part), look));
    label = {};
  }
}

LiveLine title(const LiveState& state, std::size_t columns) {
  const LiveMount& mount = state.mount();
  LiveLine line{{printable(mount.mountpoint), LiveLook::title}};
  if (mount.last) line.push_back({" <- " + printable(mount.last->about.source)});
  std::string right = state.replayed ? "recording, " : "";
  right += "every " + format("%g s", state.interval_s);
  if (state.mounts.size() > 1) {
    right = "mount " + std::to_string(state.current + 1) + " of " + std::to_string(state.mounts.size()) + " (Tab), " +
            right;
  }
  cut(line, columns > right.size() + 1 ? columns - right.size() - 1 : columns);
  add_at_right(line, {state.paused ? "PAUSED" : right, state.paused ? LiveLook::warning : LiveLook::dim}, columns);
  return line;
}

LiveLine disk_line(const IntervalView& interval, Glyphs glyphs) {
  const std::string text = " " + format("%.1f%% used, ", interval.device_use * 100) +
                           std::to_string(interval.in_flight) + " of " + std::to_string(interval.depth) + " slots, " +
                           std::to_string(interval.queued) + " waiting";
  LiveLine line = labelled("disk", share_bar(interval.device_use, 0, kUseBar, glyphs), LiveLook::good);
  line.push_back({text});
  return line;
}

std::string profile_words(const IntervalView& interval) {
  std::string text = printable(interval.about.profile);
  if (!interval.state.disk.empty()) {
    text = printable(interval.state.disk) +
           (interval.state.elevator.empty() ? "" : " (" + printable(interval.state.elevator) + ")") + ": " + text;
  }
  return text;
}

LiveLine writes_line(const IntervalView& interval, std::size_t columns) {
  const std::string dirty = human_bytes(static_cast<double>(interval.dirty_bytes)) + " dirty";
  std::string way = ", " + human_bytes(static_cast<double>(interval.writing_bytes)) + " on the way";
  if (const std::uint64_t held = interval.state.held_bytes; held != 0)
    way += ", " + human_bytes(static_cast<double>(held)) + " held";
  const std::string sync = ", fsync p99 " + (interval.fsync_us_p99 > 0 ? human_time(interval.fsync_us_p99) : "-");
  const StatState& state = interval.state;
  const bool foreign = state.foreign_bytes_per_s >= kForeignLeast_bytes;
  std::string others = "; others' traffic: ";
  if (state.disk.empty()) {
    others += "not known";
  } else if (foreign) {
    others += human_bytes(state.foreign_bytes_per_s) + "/s of " + human_bytes(state.disk_bytes_per_s) + "/s";
  } else {
    others += "none";
  }
  const bool much = foreign && state.foreign_bytes_per_s > state.disk_bytes_per_s / 4;
  const bool fits = kLabel + width(dirty + way + sync + others) <= columns;  // else without what matters least
  LiveLine line = labelled("writes", dirty + (fits ? way : "") + sync);
  line.push_back({std::move(others), much ? LiveLook::warning : LiveLook::plain});
  return line;
}

LiveLine weights_line(const IntervalView& interval, std::size_t columns) {
  LiveLine line = labelled("weights", interval.weights_in_force ? "in force" : "not in force",
                           interval.weights_in_force ? LiveLook::good : LiveLook::warning);
  line.push_back({": " + interval.reason});
  if (interval.state.processor_bound) {
    const std::string words = "; the processors are the limit, not the disk";
    const bool fits = width(text_of(line) + words) <= columns;
    line.push_back({fits ? words : "; processors are the limit", LiveLook::warning});
  }
  return line;
}

void add_alerts(std::vector<LiveLine>& lines, const IntervalView& interval, LiveSize size, bool whole) {
  const auto& alerts = interval.state.alerts;
  if (alerts.empty()) return lines.push_back(labelled("alerts", "none"));
  const std::string count = alerts.size() > 1 ? "(1 of " + std::to_string(alerts.size()) + ", a: all) " : "";
  add_wrapped(lines, "alerts", count + printable(alerts.front()), size, whole ? kAlertLines : 1, LiveLook::bad);
}

}  // namespace

std::vector<LiveLine> draw_header(const LiveState& state, LiveSize size, Glyphs glyphs) {
  const std::size_t columns = size.columns;
  const LiveMount& mount = state.mount();
  std::vector<LiveLine> lines{title(state, columns)};
  if (!mount.trouble.empty()) {
    add_wrapped(lines, "trouble", printable(mount.trouble), size, kAlertLines, LiveLook::bad);
    lines.push_back(labelled("", "waiting for it to come back; q ends"));
  } else if (!mount.interval) {
    lines.push_back(labelled("disk", "waiting for a second reading"));
    if (mount.last) lines.push_back(labelled("profile", printable(mount.last->about.profile)));
  } else {
    const IntervalView& interval = *mount.interval;
    lines.push_back(disk_line(interval, glyphs));
    add_wrapped(lines, "profile", profile_words(interval), size, kProfileLines);
    lines.push_back(writes_line(interval, columns));
    lines.push_back(weights_line(interval, columns));
    add_alerts(lines, interval, size, state.page.kind != LivePage::Kind::alerts);  // that page has all of them
  }
  lines.resize(std::max(lines.size(), kHeaderLines));
  for (LiveLine& line : lines) cut(line, columns);
  return lines;
}

}  // namespace fairfs::cli
