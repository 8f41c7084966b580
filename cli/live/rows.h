// The rows of the live view: flows, and the groups above them, chosen, summed and put in order.
#pragma once

#include <cstddef>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cli/interval_view.h"
#include "cli/rule_words.h"

namespace fairfs::cli {

struct LiveRow {
  std::string id;         ///< the same from one second to the next
  std::string label;      ///< printable
  std::size_t depth = 0;  ///< groups above it that are shown
  bool is_group = false;
  bool expanded = true;  ///< of a group
  /// What the flow got; of a group the sum of what is below it, and the worst of the times.
  FlowView sums;
  std::string user;  ///< name, empty for a group
  RuleWords whom;    ///< whom a change is for; empty where nothing can be changed
};

struct LiveChoice {
  bool tree = true;
  std::string filter;      ///< part of a name, a command, a cgroup, a user or a pid, whatever the case; empty for all
  bool hide_idle = false;  ///< flows that asked for nothing in the interval
  std::size_t sort_by = 0;
  bool reversed = false;
  std::set<std::string> collapsed;                        ///< ids of groups
  std::function<std::string(uid_t)> user_name = nullptr;  ///< null: numbers
};

/// Rows from the top down. A group stands where something below it is shown.
[[nodiscard]] std::vector<LiveRow> live_rows(const IntervalView& interval, const LiveChoice& choice);

}  // namespace fairfs::cli
