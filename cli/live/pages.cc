// What covers the rows of the live view: help, alerts, what is set, why.
#include <algorithm>

#include "cli/live/columns.h"
#include "cli/live/draw.h"
#include "cli/live/keys.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

constexpr std::size_t kKeysWidth = 32, kHeadingWidth = 13;

std::vector<LiveLine> help_lines() {
  std::vector<LiveLine> lines;
  for (const LiveKeyHelp& help : live_keys()) {
    lines.push_back({{fit(help.keys, kKeysWidth), LiveLook::key}, {std::string{help.does}}});
  }
  lines.emplace_back();
  for (const LiveColumn& column : live_columns()) {
    lines.push_back({{fit(column.heading, kHeadingWidth), LiveLook::key}, {std::string{column.help}}});
  }
  return lines;
}

/// Words put on as many lines as they need; the lines after the first are indented.
void add_wrapped(std::vector<LiveLine>& lines, const std::string& text, std::size_t columns) {
  std::string line;
  std::size_t start = 0;
  const auto flush = [&] {
    if (!line.empty()) lines.push_back({{line}});
    line.clear();
  };
  while (start < text.size()) {
    const auto end = std::min(text.find(' ', start), text.size());
    const std::string word = text.substr(start, end - start);
    if (!line.empty() && width(line) + 1 + width(word) > columns) {
      flush();
      line = "  ";
    }
    line += line.empty() || line.back() == ' ' ? word : " " + word;
    start = end + 1;
  }
  flush();
}

std::vector<LiveLine> page_lines(const LiveState& state, std::size_t columns) {
  std::vector<LiveLine> lines;
  switch (state.page.kind) {
    case LivePage::Kind::rows:
      break;
    case LivePage::Kind::help:
      return help_lines();
    case LivePage::Kind::alerts: {
      const auto& interval = state.mount().interval;
      if (!interval || interval->state.alerts.empty()) return {{{"there are no alerts"}}};
      for (const std::string& alert : interval->state.alerts) add_wrapped(lines, printable(alert), columns);
      break;
    }
    case LivePage::Kind::overrides:
      if (state.page.changes.empty()) return {{{"nothing is set: the weights file alone counts"}}};
      for (std::size_t i = 0; i < state.page.changes.size(); ++i) {
        const LiveLook look = i == state.page.chosen ? LiveLook::selected : LiveLook::plain;
        lines.push_back({{fit(printable(to_text(state.page.changes[i])), columns), look}});
      }
      break;
    case LivePage::Kind::explanation:
      for (const std::string& line : state.page.lines) add_wrapped(lines, printable(line), columns);
      break;
  }
  return lines;
}

std::string_view page_title(LivePage::Kind kind) {
  switch (kind) {
    case LivePage::Kind::rows:
      return "";
    case LivePage::Kind::help:
      return "KEYS AND COLUMNS";
    case LivePage::Kind::alerts:
      return "ALERTS";
    case LivePage::Kind::overrides:
      return "SET WHILE RUNNING, the newest first (u undoes one, U all)";
    case LivePage::Kind::explanation:
      return "WHY";
  }
  return "";
}

}  // namespace

std::vector<LiveLine> draw_page(const LiveState& state, LiveSize size) {
  std::vector<LiveLine> result{{{fit(page_title(state.page.kind), size.columns), LiveLook::heading}}};
  std::vector<LiveLine> lines = page_lines(state, size.columns);
  const std::size_t shown = size.lines - 1;
  const std::size_t at = state.page.kind == LivePage::Kind::overrides ? state.page.chosen : state.page.first;
  const std::size_t first = std::min(at, lines.size() - std::min(shown, lines.size()));
  for (std::size_t i = first; i < lines.size() && result.size() < size.lines; ++i) {
    cut(lines[i], size.columns);
    result.push_back(std::move(lines[i]));
  }
  result.resize(size.lines);
  return result;
}

}  // namespace fairfs::cli
