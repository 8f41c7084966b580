// What a process got of the disk in the last second, and why so much: in sentences.
#pragma once

#include <string>
#include <vector>

#include "cli/interval_view.h"
#include "sched/engine/explanation.h"

namespace fairfs::cli {

/// The second half of `explain` (explanation_view.h).
[[nodiscard]] std::vector<std::string> explain_share(const engine::Explanation& why, const IntervalView& interval);

}  // namespace fairfs::cli
