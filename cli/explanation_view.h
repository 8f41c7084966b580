// Why a process gets what it gets, in sentences.
#pragma once

#include <string>
#include <vector>

#include "cli/interval_view.h"
#include "sched/engine/explanation.h"

namespace fairfs::cli {

/// `interval` is the last full second of the same mount. One sentence or two an entry, in the order of their weight for
/// whoever asks: who it is, which rule, why this weight, what is due, what it got and why.
[[nodiscard]] std::vector<std::string> explain(const engine::Explanation& why, const IntervalView& interval,
                                               const std::string& user);

}  // namespace fairfs::cli
