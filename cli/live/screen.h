// What stands on the terminal: lines of text with a look, nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fairfs::cli {

/// What a piece of text is; the terminal decides what that looks like, with colours or without.
enum class LiveLook : std::uint8_t {
  plain,
  title,
  label,
  heading,
  sorted,
  selected,
  group,
  good,
  warning,
  bad,
  dim,
  key
};

struct LiveSpan {
  std::string text;  ///< printable
  LiveLook look = LiveLook::plain;
};
using LiveLine = std::vector<LiveSpan>;

struct LiveSize {
  std::size_t columns = 80, lines = 24;
  bool operator==(const LiveSize&) const = default;
};

/// As many lines as the terminal has, none wider than it.
struct LiveScreen {
  std::vector<LiveLine> lines;
};

/// The line's text alone.
[[nodiscard]] std::string text_of(const LiveLine& line);

/// Cuts the line at `columns`, without filling it up.
void cut(LiveLine& line, std::size_t columns);

/// `text` in lines of at most `columns`, at most `most` of them, broken at spaces; what is left over is cut with a ~,
/// as are words that are longer than a line.
[[nodiscard]] std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::size_t most);

/// Puts `right` at the end of a line of `columns`, where there is room for both.
void add_at_right(LiveLine& line, LiveSpan right, std::size_t columns);

}  // namespace fairfs::cli
