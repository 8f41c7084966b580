// Choosing rows, opening and closing groups.
#pragma once

#include "cli/live/keys.h"

namespace fairfs::cli {

// Each answers false for a key that is none of its own.
bool move_choice(LiveState& state, const LiveKey& key, std::size_t page_rows);
bool open_or_close(LiveState& state, const LiveKey& key);

}  // namespace fairfs::cli
