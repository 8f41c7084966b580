#include "cli/live/keys.h"

#include <algorithm>
#include <array>

#include "cli/live/changes.h"
#include "cli/live/columns.h"
#include "cli/live/moves.h"
#include "cli/live/prompts.h"

namespace fairfs::cli {
namespace {

using Code = LiveKey::Code;
using Wish = LiveWish::Kind;
using Page = LivePage::Kind;
using Prompt = LivePrompt::Kind;

void say(LiveState& state, std::string message, bool is_failure = false) {
  state.message = std::move(message);
  state.is_failure = is_failure;
}

void sort_by_next(LiveState& state, bool forward) {
  const std::size_t count = live_columns().size();
  state.choice.sort_by = (state.choice.sort_by + (forward ? 1 : count - 1)) % count;
  state.choice.reversed = false;
  say(state, "sorted by " + std::string{live_columns()[state.choice.sort_by].heading} + ": " +
                 std::string{live_columns()[state.choice.sort_by].help});
  arrange(state);
}

LiveWish next_mount(LiveState& state, bool forward) {
  const std::size_t count = state.mounts.size();
  if (count == 1) {
    say(state, "this is the only mount");
    return {};
  }
  state.current = (state.current + (forward ? 1 : count - 1)) % count;
  state.first = 0;
  arrange(state);
  return {Wish::look};
}

void show_page(LiveState& state, Page kind) {
  state.page = {};
  state.page.kind = kind;
}

LiveWish ask_daemon(LiveState& state, LiveWish wish) {
  if (!state.replayed) return wish;
  say(state, "this is a recording: there is nobody to ask", true);
  return {};
}

LiveWish explain(LiveState& state) {
  const LiveRow* const row = state.selected_row();
  if (row == nullptr || row->sums.pid == 0) {
    say(state, "choose a process", true);
    return {};
  }
  return ask_daemon(state, {Wish::explain, {}, {}, row->sums.pid});
}

LiveWish press_on_rows(LiveState& state, const LiveKey& key) {
  switch (as_letter(key)) {
    case U'h':
    case U'?':
      show_page(state, Page::help);
      return {};
    case U'a':
      show_page(state, Page::alerts);
      return {};
    case U'o':
      return ask_daemon(state, {Wish::list});
    case U'e':
      return explain(state);
    case U't':
      state.choice.tree = !state.choice.tree;
      arrange(state);
      return {};
    case U'>':
      sort_by_next(state, true);
      return {};
    case U'<':
      sort_by_next(state, false);
      return {};
    case U'I':
      state.choice.reversed = !state.choice.reversed;
      arrange(state);
      return {};
    case U'i':
      state.choice.hide_idle = !state.choice.hide_idle;
      say(state, state.choice.hide_idle ? "idle flows are hidden" : "all flows are shown");
      arrange(state);
      return {};
    case U'p':
      state.paused = !state.paused;
      return {state.paused ? Wish::none : Wish::look};
    case U'q':
      return {Wish::quit};
    default:
      return press_to_change(state, as_letter(key));
  }
}

}  // namespace

char32_t as_letter(const LiveKey& key) {
  static constexpr std::array<char32_t, 11> kFunctions{0, U'h', 0, 0, U'/', U't', U'>', U'[', U']', U'u', U'q'};
  switch (key.code) {
    case Code::function:
      return key.character < kFunctions.size() ? kFunctions.at(key.character) : 0;
    case Code::escape:
      return U'q';
    case Code::character:
      switch (key.character) {
        case U'?':
          return U'h';
        case U'\\':
          return U'/';
        case U'Z':
        case U' ':
          return U'p';
        case U's':
          return U'd';
        case U'w':
          return U'r';
        default:
          return key.character;
      }
    default:
      return 0;
  }
}

LiveWish press(LiveState& state, const LiveKey& key, std::size_t page_rows) {
  if (state.prompt.kind != Prompt::none) return press_in_prompt(state, key);
  state.message.clear();
  if (state.page.kind != Page::rows) return press_on_page(state, key, page_rows);
  if (move_choice(state, key, page_rows) || open_or_close(state, key)) return {};
  if (key.code == Code::tab || key.code == Code::back_tab) return next_mount(state, key.code == Code::tab);
  return press_on_rows(state, key);
}

}  // namespace fairfs::cli
