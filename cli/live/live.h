// fairfs-stat on a terminal.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/live/source.h"

namespace fairfs::cli {

/// Standard input and output are a terminal that can be written on anywhere.
[[nodiscard]] bool can_show_screens();

/// Shows the mounts until somebody ends it; `replayed`: they are a recording. Throws Failure when the terminal can't be
/// used.
void run_live(std::unique_ptr<LiveSource> source, std::vector<std::string> mountpoints, double interval_s,
              bool replayed);

}  // namespace fairfs::cli
