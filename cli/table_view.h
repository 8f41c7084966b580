// The interval as a table for people.
#pragma once

#include <string>

#include "cli/interval_view.h"

namespace fairfs::cli {

/// A terminal of 100 columns holds it; longer paths in the first line may run over.
inline constexpr std::size_t kTableWidth = 100;

/// Lines that end in a line feed: mountpoint and source, the state of the disk, alerts, a heading, the tree: a row
/// for each group and, indented below it, for what is in it, most served first, then by name. A group has the sums of
/// what is below it. A + behind a share: the flow did not ask for more.
[[nodiscard]] std::string to_table(const IntervalView& interval);

}  // namespace fairfs::cli
