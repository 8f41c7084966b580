// The columns of the live view: what is in them, how wide they are, which of them a narrow terminal keeps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/rows.h"

namespace fairfs::cli {

struct LiveColumn {
  std::string_view heading;
  std::string_view help;
  std::size_t width;  ///< columns, the space before it included
  /// Which go first where there is no room: those with the highest number.
  unsigned rank;
  enum class Look : std::uint8_t { text, number, bar, history } look;
  /// What rows are sorted by: the largest first, or by `cell`'s text where this is null.
  double (*value)(const LiveRow&);
  std::string (*cell)(const LiveRow&);  ///< null for bar and history, which need the whole line
};

/// In the order in which they stand. The first is the flow's name, which takes the room that is left.
[[nodiscard]] std::span<const LiveColumn> live_columns();

/// Places among live_columns() of those that fit a line of this width, in order. The names take at least kNameLeast.
/// Without a tree each row says its cgroup.
[[nodiscard]] std::vector<std::size_t> columns_that_fit(std::size_t width, bool tree);

inline constexpr std::size_t kNameLeast = 16;

/// Where live_columns() has the column with this heading.
[[nodiscard]] std::size_t column_place(std::string_view heading);

}  // namespace fairfs::cli
