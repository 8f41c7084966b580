#include "cli/live/prompts.h"

#include "cli/failure.h"
#include "cli/live/changes.h"
#include "cli/numbers.h"
#include "cli/stat_options.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using Code = LiveKey::Code;
using Wish = LiveWish::Kind;
using Prompt = LivePrompt::Kind;

/// A filter or a rule that is longer is a key that got stuck.
constexpr std::size_t kPromptMost = 200;

/// The prompt's text is whole.
LiveWish accept(LiveState& state, const LivePrompt& prompt) {
  switch (prompt.kind) {
    case Prompt::none:
    case Prompt::filter:  // in force since its last letter
      return {};
    case Prompt::undo_all:
      if (prompt.text != "y" && prompt.text != "yes") return {};
      return {.kind = Wish::tell, .line = unset_line(nullptr), .what = "everything undone"};
    case Prompt::delay:
      if (const auto seconds = number_within(prompt.text, kIntervalLeast_s, kIntervalMost_s)) {
        state.interval_s = *seconds;
        return {Wish::look};
      }
      refuse(state, "'" + printable(prompt.text) + "' is not a time from 0.1 to 86400 seconds");
      return {};
    case Prompt::weight:
    case Prompt::service:
    case Prompt::rule:
      break;
  }
  if (prompt.text.empty()) return {};
  const char* const key = prompt.kind == Prompt::weight ? "weight=" : prompt.kind == Prompt::service ? "class=" : "";
  try {
    return change(prompt.whom, prompt.label, parse_rule_words(key + prompt.text));
  } catch (const Failure& failure) {
    refuse(state, failure.what());
    return {};
  }
}

void filter_by(LiveState& state) {
  if (state.prompt.kind != Prompt::filter) return;
  state.choice.filter = state.prompt.text;
  arrange(state);
}

void append(std::string& text, char32_t letter) {
  if (text.size() >= kPromptMost || letter < 0x20 || letter == 0x7f) return;
  text += utf8(letter);
}

void erase_last(std::string& text) {
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xc0) == 0x80) text.pop_back();
  if (!text.empty()) text.pop_back();
}

}  // namespace

LiveWish press_in_prompt(LiveState& state, const LiveKey& key) {
  LivePrompt& prompt = state.prompt;
  switch (key.code) {
    case Code::enter: {
      const LivePrompt whole = prompt;
      prompt = {};
      return accept(state, whole);
    }
    case Code::escape:
      prompt.text.clear();
      filter_by(state);
      prompt = {};
      return {};
    case Code::backspace:
      erase_last(prompt.text);
      break;
    case Code::character:
      append(prompt.text, key.character);
      break;
    default:
      return {};
  }
  filter_by(state);
  return {};
}

std::string prompt_words(const LiveState& state) {
  const std::string& name = state.prompt.label;
  switch (state.prompt.kind) {
    case Prompt::none:
      return {};
    case Prompt::filter:
      return "show only: ";
    case Prompt::weight:
      return "weight of " + name + ", 1 to 10000: ";
    case Prompt::service:
      return "class of " + name + " (rt, be, idle): ";
    case Prompt::rule:
      return "set for " + name + " (KEY=VALUE,...): ";
    case Prompt::delay:
      return "seconds between two looks: ";
    case Prompt::undo_all:
      return "undo everything that is set (y/n)? ";
  }
  return {};
}

}  // namespace fairfs::cli
