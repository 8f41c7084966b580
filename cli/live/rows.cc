#include "cli/live/rows.h"

#include <algorithm>
#include <cctype>
#include <numeric>
#include <unordered_map>

#include "cli/live/columns.h"
#include "cli/live/sums.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using engine::GroupKind;

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

bool is_idle(const FlowView& flow) {
  return flow.queued == 0 && flow.in_flight == 0 && flow.dirty_bytes == 0 &&
         flow.reads_per_s + flow.writes_per_s + flow.fsyncs_per_s + flow.metadata_per_s == 0 && flow.share_got == 0;
}

/// The tree with its groups as places; -1 is the root.
class Builder {
 public:
  Builder(const IntervalView& interval, const LiveChoice& choice)
      : interval_{interval}, choice_{choice}, filter_{lower(choice.filter)}, groups_(interval.groups.size() + 1) {}

  std::vector<LiveRow> build() {
    for (const FlowView& flow : interval_.flows) {
      if (!is_chosen(flow)) continue;
      node(choice_.tree ? shown_group(flow.group) : -1).flows.push_back(&flow);
    }
    if (choice_.tree) {
      for (std::size_t i = 0; i < interval_.groups.size(); ++i) link(static_cast<std::int32_t>(i));
    }
    sum(-1);
    write(-1, 0);
    return std::move(rows_);
  }

 private:
  struct Node {
    std::vector<const FlowView*> flows;
    std::vector<std::int32_t> children;
    FlowView sums;
    bool populated = false;
  };
  Node& node(std::int32_t place) { return groups_[static_cast<std::size_t>(place + 1)]; }
  [[nodiscard]] const GroupView& group(std::int32_t place) const {
    return interval_.groups[static_cast<std::size_t>(place)];
  }

  [[nodiscard]] std::string user_of(uid_t uid) const {
    return choice_.user_name ? choice_.user_name(uid) : std::to_string(uid);
  }

  bool is_chosen(const FlowView& flow) const {
    if (choice_.hide_idle && is_idle(flow)) return false;
    if (filter_.empty()) return true;
    for (const std::string& text : {flow.name, flow.command, flow.cgroup, user_of(flow.uid)}) {
      if (lower(text).find(filter_) != std::string::npos) return true;
    }
    return false;
  }

  /// Processes directly in a cgroup are shown as a group of their own only beside other groups: else it says nothing.
  bool is_shown(std::int32_t place) {
    if (group(place).kind != GroupKind::processes_here) return true;
    if (siblings_.empty()) {
      siblings_.resize(groups_.size());
      for (const GroupView& each : interval_.groups) ++siblings_[static_cast<std::size_t>(each.parent + 1)];
    }
    return siblings_[static_cast<std::size_t>(group(place).parent + 1)] > 1;
  }
  std::int32_t shown_group(std::int32_t place) {
    while (place != -1 && !is_shown(place)) place = group(place).parent;
    return place;
  }
  void link(std::int32_t place) {
    if (is_shown(place)) node(shown_group(group(place).parent)).children.push_back(place);
  }

  void sum(std::int32_t place) {
    Node& here = node(place);
    for (const FlowView* flow : here.flows) add_to(here.sums, *flow);
    here.populated = !here.flows.empty();
    for (const std::int32_t child : here.children) {
      sum(child);
      if (!node(child).populated) continue;
      add_to(here.sums, node(child).sums);
      here.populated = true;
    }
  }

  [[nodiscard]] LiveRow row_of(const FlowView& flow, std::size_t depth) const {
    LiveRow row;
    row.id = "flow:" + std::to_string(flow.key);
    row.label = label_of(flow);
    row.depth = depth;
    row.sums = flow;
    row.user = user_of(flow.uid);
    if (flow.pid != 0) row.whom = {{"pid", flow.pid}};
    if (flow.pid == 0 && flow.command.empty()) row.whom = {{"flow", flow.name}};  // a named one; else nobody's
    return row;
  }

  LiveRow row_of(std::int32_t place, std::size_t depth) {
    const GroupView& made_of = group(place);
    LiveRow row;
    row.depth = depth;
    row.is_group = true;
    row.sums = node(place).sums;
    row.sums.weight = made_of.weight;
    row.sums.overridden = made_of.overridden;
    row.sums.cgroup = made_of.cgroup;
    switch (made_of.kind) {
      case GroupKind::cgroup:
        row.id = "cgroup:" + made_of.cgroup;
        row.label = depth == 0 ? made_of.cgroup : made_of.cgroup.substr(made_of.cgroup.rfind('/') + 1);
        row.whom = {{"cgroup", made_of.cgroup}};
        break;
      case GroupKind::processes_here:
        row.id = "here:" + made_of.cgroup;
        row.label = "(processes)";
        break;
      case GroupKind::user:
        row.id = "user:" + std::to_string(made_of.user);
        row.label = "user " + user_of(made_of.user);
        row.whom = {{"user", made_of.user}};
        break;
    }
    row.label = printable(row.label);
    row.expanded = !choice_.collapsed.contains(row.id);
    return row;
  }

  /// The largest first, then by name. What looks the same is the same: rows would change places for nothing.
  void order(std::vector<LiveRow>& rows) const {
    const LiveColumn& column = live_columns()[choice_.sort_by];
    std::vector<std::string> cells;
    cells.reserve(rows.size());
    for (const LiveRow& row : rows) cells.push_back(column.cell != nullptr ? column.cell(row) : std::string{});
    std::vector<std::size_t> places(rows.size());
    std::iota(places.begin(), places.end(), 0);
    std::ranges::sort(places, [&](std::size_t left, std::size_t right) {
      if (cells[left] != cells[right] || column.cell == nullptr) {
        if (column.value == nullptr) return (cells[left] < cells[right]) != choice_.reversed;
        const double a = column.value(rows[left]), b = column.value(rows[right]);
        if (a != b) return (a > b) != choice_.reversed;
      }
      return rows[left].label != rows[right].label ? rows[left].label < rows[right].label
                                                   : rows[left].id < rows[right].id;
    });
    std::vector<LiveRow> ordered;
    ordered.reserve(rows.size());
    for (const std::size_t place : places) ordered.push_back(std::move(rows[place]));
    rows = std::move(ordered);
  }

  void write(std::int32_t place, std::size_t depth) {
    std::vector<LiveRow> here;
    std::unordered_map<std::string, std::int32_t> places;
    for (const FlowView* flow : node(place).flows) here.push_back(row_of(*flow, depth));
    for (const std::int32_t child : node(place).children) {
      if (!node(child).populated) continue;
      here.push_back(row_of(child, depth));
      places.emplace(here.back().id, child);
    }
    order(here);
    for (LiveRow& row : here) {
      const bool opens = row.is_group && row.expanded;
      const std::int32_t child = opens ? places.at(row.id) : -1;
      rows_.push_back(std::move(row));
      if (opens) write(child, depth + 1);
    }
  }

  const IntervalView& interval_;
  const LiveChoice& choice_;
  const std::string filter_;
  std::vector<Node> groups_;           // the root first
  std::vector<std::size_t> siblings_;  // groups below each, the root first
  std::vector<LiveRow> rows_;
};

}  // namespace

std::vector<LiveRow> live_rows(const IntervalView& interval, const LiveChoice& choice) {
  return Builder{interval, choice}.build();
}

}  // namespace fairfs::cli
