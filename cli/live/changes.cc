#include "cli/live/changes.h"

#include <algorithm>
#include <utility>

namespace fairfs::cli {
namespace {

using Wish = LiveWish::Kind;
using Prompt = LivePrompt::Kind;

LiveWish step(LiveState& state, int direction) {
  const LiveRow* const row = changeable_row(state);
  if (row == nullptr) return {};
  const int weight = row->sums.weight, tenth = std::max(weight / 10, 1);
  const int wanted = std::clamp<int>(weight + direction * tenth, sched::kWeightMin, sched::kWeightMax);
  LiveWish wish = change(row->whom, row->label, {{"weight", wanted}});
  expect_weight(state, std::string{row->id}, static_cast<sched::Weight>(wanted));  // the next step goes on from there
  return wish;
}

LiveWish undo(LiveState& state) {
  const LiveRow* const row = changeable_row(state);
  if (row == nullptr) return {};
  return {.kind = Wish::tell, .line = unset_line(&row->whom), .what = row->label + ": undone"};
}

}  // namespace

void refuse(LiveState& state, std::string message) {
  state.message = std::move(message);
  state.is_failure = true;
}

const LiveRow* changeable_row(LiveState& state) {
  const LiveRow* const row = state.selected_row();
  if (state.replayed) {
    refuse(state, "this is a recording: nothing can be changed");
  } else if (row == nullptr) {
    refuse(state, "there is no row to change");
  } else if (row->whom.empty()) {
    refuse(state, row->is_group ? "processes directly in a cgroup weigh 100 beside its other groups: change one of them"
                                : "requests of the kernel itself have no weight of their own");
  } else {
    state.selected = row->id;  // from now on it is this one that is meant, wherever it goes
    return row;
  }
  return nullptr;
}

LiveWish change(const RuleWords& whom, const std::string& label, const RuleWords& what) {
  RuleWords words = whom;
  words.insert(what.begin(), what.end());
  return {.kind = Wish::tell, .line = set_line(words), .what = label + ": " + to_text(what)};
}

void open_prompt(LiveState& state, LivePrompt::Kind kind) {
  const bool of_row = kind == Prompt::weight || kind == Prompt::service || kind == Prompt::rule;
  const LiveRow* const row = of_row ? changeable_row(state) : nullptr;
  if (of_row && row == nullptr) return;
  if (kind == Prompt::undo_all && state.replayed) return refuse(state, "this is a recording: nothing can be changed");
  state.prompt = {kind, kind == Prompt::filter ? state.choice.filter : std::string{}, {}, {}};
  if (row != nullptr) {
    state.prompt.whom = row->whom;
    state.prompt.label = row->label;
  }
}

LiveWish press_to_change(LiveState& state, char32_t letter) {
  switch (letter) {
    case U'[':
      return step(state, -1);
    case U']':
      return step(state, 1);
    case U'u':
      return undo(state);
    case U'U':
      open_prompt(state, Prompt::undo_all);
      return {};
    case U'r':
      open_prompt(state, Prompt::weight);
      return {};
    case U'c':
      open_prompt(state, Prompt::service);
      return {};
    case U'=':
      open_prompt(state, Prompt::rule);
      return {};
    case U'/':
      open_prompt(state, Prompt::filter);
      return {};
    case U'd':
      open_prompt(state, Prompt::delay);
      return {};
    default:
      return {};
  }
}

}  // namespace fairfs::cli
