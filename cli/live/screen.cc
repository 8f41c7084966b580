#include "cli/live/screen.h"

#include <algorithm>
#include <utility>

#include "cli/text.h"

namespace fairfs::cli {

std::string text_of(const LiveLine& line) {
  std::string result;
  for (const LiveSpan& span : line) result += span.text;
  return result;
}

void cut(LiveLine& line, std::size_t columns) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    const std::size_t have = width(line[i].text);
    if (have <= columns) {
      columns -= have;
      continue;
    }
    line[i].text = fit(line[i].text, columns);
    line.resize(columns == 0 ? i : i + 1);
    return;
  }
}

std::vector<std::string> wrap(std::string_view text, std::size_t columns, std::size_t most) {
  std::vector<std::string> lines;
  while (lines.size() + 1 < most && width(text) > columns) {
    std::size_t end = 0;  // of the last word that fits
    for (auto space = text.find(' '); space != text.npos; space = text.find(' ', space + 1)) {
      if (width(text.substr(0, space)) > columns) break;
      end = space;
    }
    if (end == 0) end = std::min(text.find(' '), text.size());
    const auto part = text.substr(0, end);
    lines.push_back(width(part) > columns ? fit(part, columns) : std::string{part});
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (!text.empty() || lines.empty()) lines.push_back(width(text) > columns ? fit(text, columns) : std::string{text});
  return lines;
}

void add_at_right(LiveLine& line, LiveSpan right, std::size_t columns) {
  const std::size_t taken = width(text_of(line)), wanted = width(right.text);
  if (taken + 1 + wanted > columns) return;
  line.push_back({std::string(columns - taken - wanted, ' '), LiveLook::plain});
  line.push_back(std::move(right));
}

}  // namespace fairfs::cli
