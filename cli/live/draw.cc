#include "cli/live/draw.h"

#include <algorithm>

#include "cli/live/columns.h"
#include "cli/live/prompts.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

/// Smaller than this there is nothing to be seen.
constexpr std::size_t kColumnsLeast = 40, kLinesLeast = 10;
/// Heading and footer.
constexpr std::size_t kOtherLines = 1 + 1;

class Table {
 public:
  Table(const LiveState& state, std::size_t columns, Glyphs glyphs)
      : state_{state}, glyphs_{glyphs}, places_{columns_that_fit(columns, state.choice.tree)} {
    std::size_t taken = 0;
    for (const std::size_t place : places_) taken += live_columns()[place].width;
    name_width_ = columns - taken;
  }

  LiveLine heading() const {
    LiveLine line;
    for (const std::size_t place : places_) {
      const LiveColumn& column = live_columns()[place];
      const bool is_sorted = place == state_.choice.sort_by;
      line.push_back({aligned(column, std::string{column.heading} + (place == 1 || column.heading == "GOT" ? " " : "")),
                      is_sorted ? LiveLook::sorted : LiveLook::heading});
    }
    return line;
  }

  LiveLine row(const LiveRow& row, bool is_selected) const {
    LiveLine line;
    for (const std::size_t place : places_) {
      const LiveColumn& column = live_columns()[place];
      LiveLook look = is_selected ? LiveLook::selected : row.is_group ? LiveLook::group : LiveLook::plain;
      if (!is_selected && place == 1 && row.sums.overridden) look = LiveLook::warning;
      if (!is_selected && column.look == LiveColumn::Look::bar) look = LiveLook::good;
      line.push_back({aligned(column, cell(column, place, row)), look});
    }
    return line;
  }

 private:
  std::string cell(const LiveColumn& column, std::size_t place, const LiveRow& row) const {
    if (column.look == LiveColumn::Look::bar) {
      return share_bar(row.sums.share_got, row.sums.share_due, column.width - 1, glyphs_);
    }
    if (column.look == LiveColumn::Look::history) {
      const LiveMount& mount = state_.mount();
      return sparkline(mount.history.shares(row.id, column.width - 1, mount.seen), glyphs_);
    }
    const std::string text = column.cell(row);
    if (place != 0) return text;
    const std::string mark = !row.is_group ? "" : row.expanded ? "- " : "+ ";
    return std::string(row.depth, ' ') + mark + text;
  }

  std::string aligned(const LiveColumn& column, const std::string& text) const {
    if (column.width == 0) return fit(text, name_width_);
    if (column.look == LiveColumn::Look::number) return right(fit_number(text, column.width), column.width);
    // Of a cgroup's path the end says most.
    const Keep keep = column.heading == "CGROUP" ? Keep::tail : Keep::head;
    return " " + fit(text, column.width - 1, keep);
  }
  /// A number that is too wide must not push the others out of their places.
  static std::string fit_number(const std::string& text, std::size_t columns) {
    return width(text) <= columns ? text : fit(text, columns);
  }

  const LiveState& state_;
  const Glyphs glyphs_;
  const std::vector<std::size_t> places_;
  std::size_t name_width_ = 0;
};

LiveLine footer(const LiveState& state, std::size_t columns) {
  LiveLine line;
  if (state.prompt.kind != LivePrompt::Kind::none) {
    line = {{prompt_words(state), LiveLook::key}, {printable(state.prompt.text)}, {"_", LiveLook::selected}};
  } else if (!state.message.empty()) {
    line = {{printable(state.message), state.is_failure ? LiveLook::bad : LiveLook::good}};
  } else {
    const auto add = [&](std::string_view key, std::string_view does) {
      line.push_back({std::string{key}, LiveLook::key});
      line.push_back({std::string{does} + " "});
    };
    add("F1", "Help");
    add("F4", state.choice.filter.empty() ? "Filter" : "Filter*");
    add("F5", state.choice.tree ? "Flat" : "Tree");
    add("F6", "Sort");
    add("F7", "Weight-");
    add("F8", "Weight+");
    add("F9", "Undo");
    add("F10", "Quit");
    const std::size_t count = state.rows.size();
    add_at_right(
        line,
        {std::to_string(count == 0 ? 0 : state.selected_place() + 1) + "/" + std::to_string(count), LiveLook::dim},
        columns);
  }
  cut(line, columns);
  return line;
}

}  // namespace

std::size_t rows_on(const LiveState& state, LiveSize size) {
  const std::size_t others = draw_header(state, size, Glyphs::ascii).size() + kOtherLines;
  return size.lines > others ? size.lines - others : 1;
}

void scroll(LiveState& state, LiveSize size) {
  const std::size_t shown = rows_on(state, size), place = state.selected_place();
  if (place < state.first) state.first = place;
  if (place >= state.first + shown) state.first = place + 1 - shown;
  // No empty lines below while there are rows above.
  state.first = std::min(state.first, state.rows.size() - std::min(shown, state.rows.size()));
}

LiveScreen draw(const LiveState& state, LiveSize size, Glyphs glyphs) {
  LiveScreen screen;
  if (size.columns < kColumnsLeast || size.lines < kLinesLeast) {
    LiveLine line{{"this terminal is too small: it takes 40 columns and 10 lines", LiveLook::bad}};
    cut(line, size.columns);
    screen.lines.push_back(std::move(line));
    screen.lines.resize(size.lines);
    return screen;
  }
  screen.lines = draw_header(state, size, glyphs);
  const std::size_t shown = rows_on(state, size);
  if (state.page.kind != LivePage::Kind::rows) {
    auto page = draw_page(state, {size.columns, shown + 1});
    std::ranges::move(page, std::back_inserter(screen.lines));
  } else {
    const Table table{state, size.columns, glyphs};
    screen.lines.push_back(table.heading());
    const std::size_t selected = state.selected_place();
    for (std::size_t i = state.first; i < state.rows.size() && i < state.first + shown; ++i) {
      screen.lines.push_back(table.row(state.rows[i], i == selected));
    }
    if (state.rows.empty() && state.mount().interval) {
      screen.lines.push_back(
          {{state.choice.filter.empty() ? "no requests in the last 10 s" : "nothing matches the filter",
            LiveLook::dim}});
    }
  }
  screen.lines.resize(size.lines - 1);
  screen.lines.push_back(footer(state, size.columns));
  return screen;
}

}  // namespace fairfs::cli
