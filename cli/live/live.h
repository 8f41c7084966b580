// fairfs-stat on a terminal.
#pragma once

#include <vector>

#include "cli/stat_client.h"

namespace fairfs::cli {

/// Standard input and output are a terminal that can be written on anywhere.
[[nodiscard]] bool can_show_screens();

/// Shows the mounts until somebody ends it. Throws Failure when the terminal can't be used.
void run_live(std::vector<StatTarget> targets, double interval_s);

}  // namespace fairfs::cli
