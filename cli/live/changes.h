// Changing what the chosen row may have.
#pragma once

#include <string>

#include "cli/live/keys.h"

namespace fairfs::cli {

/// Keys that begin a change of the chosen row, or open a prompt.
[[nodiscard]] LiveWish press_to_change(LiveState& state, char32_t letter);

/// The chosen row if it can be changed; null, with a word about it in the state, if not.
[[nodiscard]] const LiveRow* changeable_row(LiveState& state);
/// What makes these have `what`.
[[nodiscard]] LiveWish change(const RuleWords& whom, const std::string& label, const RuleWords& what);

/// Says that something can't be done.
void refuse(LiveState& state, std::string message);

/// Opens the prompt if there is something that it can be about.
void open_prompt(LiveState& state, LivePrompt::Kind kind);

}  // namespace fairfs::cli
