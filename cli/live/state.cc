#include "cli/live/state.h"

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "cli/live/columns.h"

namespace fairfs::cli {
namespace {

/// The whole minute of every row, whether it is shown or not: whoever expands a group finds its history there.
void remember(LiveMount& mount) {
  LiveChoice all;
  all.sort_by = column_place("GOT");
  for (const LiveRow& row : live_rows(*mount.interval, all)) mount.history.add(row.id, row.sums.share_got, mount.seen);
  mount.history.expire(mount.seen);
}

}  // namespace

std::size_t LiveState::selected_place() const {
  const auto found = std::ranges::find(rows, selected, &LiveRow::id);
  return found != rows.end() ? static_cast<std::size_t>(found - rows.begin()) : 0;
}

const LiveRow* LiveState::selected_row() const { return rows.empty() ? nullptr : &rows[selected_place()]; }

void take(LiveState& state, std::size_t mount, StatReply reply) {
  if (mount >= state.mounts.size() || reply.readings.empty()) return;
  LiveMount& here = state.mounts[mount];
  here.trouble.clear();
  // Another daemon's counters and keys mean nothing beside the last one's.
  if (here.last && here.last->about.instance != reply.about.instance) {
    here.last.reset();
    here.interval.reset();
    here.history = {};
  }
  here.seen = reply.readings.back().taken;
  if (here.last && here.last->readings.back().taken < here.seen) {
    here.interval = view(here.last->readings.back(), reply.readings.back(), reply.about.scheduling);
    here.interval->about = reply.about;
    here.interval->state = reply.state;
    remember(here);
  }
  here.last = std::move(reply);
  if (mount == state.current) arrange(state);
}

void lose(LiveState& state, std::size_t mount, std::string why) {
  if (mount >= state.mounts.size()) return;
  LiveMount& here = state.mounts[mount];
  here.trouble = std::move(why);
  here.last.reset();
  here.interval.reset();
  if (mount == state.current) arrange(state);
}

void hear(LiveState& state, const std::string& what, const std::string& line, bool is_failure) {
  state.message = is_failure ? line : what;
  state.is_failure = is_failure;
  const bool was_open = state.page.kind == LivePage::Kind::overrides;
  if (is_failure || (!what.empty() && !was_open)) return;
  try {
    state.page.changes = parse_overrides(line);
    state.page.kind = LivePage::Kind::overrides;
    if (!was_open) state.page.chosen = 0;
    state.page.chosen = std::min(state.page.chosen, std::max<std::size_t>(state.page.changes.size(), 1) - 1);
  } catch (const std::runtime_error& error) {
    state.message = error.what();
    state.is_failure = true;
  }
}

void show_explanation(LiveState& state, std::vector<std::string> sentences) {
  state.page = {};
  state.page.kind = LivePage::Kind::explanation;
  state.page.lines = std::move(sentences);
}

void expect_weight(LiveState& state, const std::string& row_id, sched::Weight weight) {
  const auto row = std::ranges::find(state.rows, row_id, &LiveRow::id);
  if (row == state.rows.end() || !state.mount().interval) return;
  IntervalView& interval = *state.mount().interval;
  if (row->is_group) {
    for (GroupView& group : interval.groups) {
      if (group.kind != engine::GroupKind::cgroup || group.cgroup != row->sums.cgroup) continue;
      group.weight = weight;
      group.overridden = true;
    }
  } else if (const auto flow = std::ranges::find(interval.flows, row->sums.key, &FlowView::key);
             flow != interval.flows.end()) {
    flow->weight = weight;
    flow->overridden = true;
  }
  arrange(state);
}

void arrange(LiveState& state) {
  const std::size_t place = state.selected_place();
  state.rows.clear();
  if (state.mount().interval) state.rows = live_rows(*state.mount().interval, state.choice);
  if (state.rows.empty() || state.selected.empty()) return;
  // A row that is gone hands its place to the one that moved up to it.
  if (std::ranges::find(state.rows, state.selected, &LiveRow::id) == state.rows.end()) {
    state.selected = state.rows[std::min(place, state.rows.size() - 1)].id;
  }
}

}  // namespace fairfs::cli
