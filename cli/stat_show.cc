#include "cli/stat_show.h"

#include <map>
#include <ostream>
#include <utility>

#include "cli/csv_view.h"
#include "cli/json_view.h"
#include "cli/openmetrics.h"
#include "cli/output.h"
#include "cli/table_view.h"

namespace fairfs::cli {
namespace {

using Format = StatOptions::Format;

IntervalView interval_between(const engine::Snapshot& before, const StatReply& after) {
  IntervalView interval = view(before, after.readings.back(), after.about.scheduling);
  interval.about = after.about;
  interval.state = after.state;
  return interval;
}

void write(const IntervalView& interval, Format format, std::ostream& out) {
  switch (format) {
    case Format::table:
      out << to_table(interval);
      break;
    case Format::json:
      out << to_json_line(interval) << "\n";
      break;
    case Format::csv:
      out << to_csv(interval);
      break;
    case Format::openmetrics:
      break;
  }
  flush(out);
}

}  // namespace

void show(Readings& readings, const StatOptions& options, bool clears, std::ostream& out) {
  if (options.format == Format::csv) out << csv_heading();
  std::map<std::string, StatReply> last;  // by mountpoint: a recording may have several
  std::map<std::string, IntervalView> newest;
  std::uint64_t shown = 0;
  while (!options.count || shown < *options.count) {
    std::optional<StatReply> now = readings.next();
    if (!now) break;
    const auto before = last.find(now->about.mountpoint);
    // The first reading begins an interval; so does another daemon's, which counts anew.
    if (before != last.end() && before->second.about.instance == now->about.instance &&
        before->second.readings.back().taken < now->readings.back().taken) {
      IntervalView interval = interval_between(before->second.readings.back(), *now);
      if (options.once) {
        newest.insert_or_assign(now->about.mountpoint, std::move(interval));
      } else {
        // Home, and clear from there: less flicker than clearing first, and scrollback stays.
        if (clears) out << "\033[H\033[2J";
        write(interval, options.format, out);
      }
      ++shown;
    }
    last.insert_or_assign(now->about.mountpoint, std::move(*now));
  }
  if (shown == 0 && !options.replay.empty()) {
    throw failed("replay", options.replay, "it has no two readings of one mount", "record for longer");
  }
  for (const auto& [mountpoint, interval] : newest) write(interval, options.format, out);
  flush(out);
}

void show_once(const StatTarget& target, const StatOptions& options, std::ostream& out) {
  const StatReply second = last_full_second(target);
  if (options.format == Format::csv) out << csv_heading();
  write(interval_between(second.readings.front(), second), options.format, out);
}

void show_openmetrics(const std::vector<StatTarget>& targets, std::ostream& out) {
  std::vector<StatReply> replies;
  std::vector<const StatReply*> mounts;
  replies.reserve(targets.size());
  for (const StatTarget& target : targets) mounts.push_back(&replies.emplace_back(last_full_second(target)));
  out << to_openmetrics(mounts);
  flush(out);
}

}  // namespace fairfs::cli
