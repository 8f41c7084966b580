// The interval as one line of JSON: the interface for programs.
#pragma once

#include <string>

#include "cli/interval_view.h"

namespace fairfs::cli {

/// Without the line feed. The fields are those of IntervalView and FlowView, under the same names.
[[nodiscard]] std::string to_json_line(const IntervalView& interval);

}  // namespace fairfs::cli
