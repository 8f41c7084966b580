// The interval as lines of CSV (RFC 4180): one for each flow.
#pragma once

#include <string>

#include "cli/interval_view.h"

namespace fairfs::cli {

/// The names of the columns: time, mountpoint, interval_s, device_use, then a flow's fields as in JSON.
[[nodiscard]] std::string csv_heading();
/// A line for each flow, none without flows.
[[nodiscard]] std::string to_csv(const IntervalView& interval);

}  // namespace fairfs::cli
