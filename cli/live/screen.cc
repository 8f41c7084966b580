#include "cli/live/screen.h"

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

void add_at_right(LiveLine& line, LiveSpan right, std::size_t columns) {
  const std::size_t taken = width(text_of(line)), wanted = width(right.text);
  if (taken + 1 + wanted > columns) return;
  line.push_back({std::string(columns - taken - wanted, ' '), LiveLook::plain});
  line.push_back(std::move(right));
}

}  // namespace fairfs::cli
