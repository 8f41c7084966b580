// The live view's header: what the disk does and whether weights are in force, in words.
#include <algorithm>
#include <array>
#include <cstdio>

#include "cli/live/draw.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

constexpr std::size_t kLabel = 9, kUseBar = 22;
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

LiveLine profile_line(const IntervalView& interval) {
  std::string text = printable(interval.about.profile);
  if (!interval.state.disk.empty()) {
    text = printable(interval.state.disk) +
           (interval.state.elevator.empty() ? "" : " (" + printable(interval.state.elevator) + ")") + ": " + text;
  }
  return labelled("profile", std::move(text));
}

LiveLine writes_line(const IntervalView& interval) {
  std::string text = human_bytes(static_cast<double>(interval.dirty_bytes)) + " dirty, " +
                     human_bytes(static_cast<double>(interval.writing_bytes)) + " on the way, fsync p99 " +
                     (interval.fsync_us_p99 > 0 ? human_time(interval.fsync_us_p99) : "-");
  LiveLine line = labelled("writes", std::move(text));
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
  line.push_back({std::move(others), much ? LiveLook::warning : LiveLook::plain});
  return line;
}

LiveLine weights_line(const IntervalView& interval) {
  LiveLine line = labelled("weights", interval.weights_in_force ? "in force" : "not in force",
                           interval.weights_in_force ? LiveLook::good : LiveLook::warning);
  line.push_back({": " + interval.reason});
  if (interval.state.processor_bound) {
    line.push_back({"; the processors are the limit, not the disk", LiveLook::warning});
  }
  return line;
}

LiveLine alerts_line(const IntervalView& interval) {
  const auto& alerts = interval.state.alerts;
  if (alerts.empty()) return labelled("alerts", "none");
  const std::string count = alerts.size() > 1 ? "(1 of " + std::to_string(alerts.size()) + ", a: all) " : "";
  return labelled("alerts", count + printable(alerts.front()), LiveLook::bad);
}

}  // namespace

std::vector<LiveLine> draw_header(const LiveState& state, std::size_t columns, Glyphs glyphs) {
  const LiveMount& mount = state.mount();
  std::vector<LiveLine> lines{title(state, columns)};
  if (!mount.trouble.empty()) {
    lines.push_back(labelled("trouble", printable(mount.trouble), LiveLook::bad));
    lines.push_back(labelled("", "waiting for it to come back; q ends"));
  } else if (!mount.interval) {
    lines.push_back(labelled("disk", "waiting for a second reading"));
    if (mount.last) lines.push_back(labelled("profile", printable(mount.last->about.profile)));
  } else {
    const IntervalView& interval = *mount.interval;
    lines.push_back(disk_line(interval, glyphs));
    lines.push_back(profile_line(interval));
    lines.push_back(writes_line(interval));
    lines.push_back(weights_line(interval));
    lines.push_back(alerts_line(interval));
  }
  lines.resize(6);
  for (LiveLine& line : lines) cut(line, columns);
  return lines;
}

}  // namespace fairfs::cli
