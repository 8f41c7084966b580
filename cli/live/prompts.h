// Keys while something is typed at the bottom, or a page covers the rows.
#pragma once

#include <string>

#include "cli/live/keys.h"

namespace fairfs::cli {

/// While a prompt is open.
[[nodiscard]] LiveWish press_in_prompt(LiveState& state, const LiveKey& key);
/// While a page covers the rows.
[[nodiscard]] LiveWish press_on_page(LiveState& state, const LiveKey& key, std::size_t page_rows);

/// "weight of fio[12], 1 to 10000 (now 100): "; empty without a prompt.
[[nodiscard]] std::string prompt_words(const LiveState& state);

}  // namespace fairfs::cli
