// The state as a screen: pure, so that a test can read it.
#pragma once

#include "cli/live/bars.h"
#include "cli/live/screen.h"
#include "cli/live/state.h"

namespace fairfs::cli {

/// How many rows a screen of this size shows.
[[nodiscard]] std::size_t rows_on(const LiveState& state, LiveSize size);

/// Moves the top of the rows so that the chosen one is seen. Before `draw`.
void scroll(LiveState& state, LiveSize size);

[[nodiscard]] LiveScreen draw(const LiveState& state, LiveSize size, Glyphs glyphs);

/// The lines above the rows: mount, disk, profile, writes, weights, alerts. What is too long for the width is said
/// shorter, and profile and alerts take a second or third line where the screen has as many as a usual terminal.
[[nodiscard]] std::vector<LiveLine> draw_header(const LiveState& state, LiveSize size, Glyphs glyphs);
/// The page that covers the rows, `lines` of it.
[[nodiscard]] std::vector<LiveLine> draw_page(const LiveState& state, LiveSize size);

}  // namespace fairfs::cli
