// A reading as OpenMetrics text, which Prometheus and the node exporter's textfile collector read.
#pragma once

#include <span>
#include <string>

#include "cli/stat_protocol.h"

namespace fairfs::cli {

/// The media type of what `to_openmetrics` makes.
inline constexpr std::string_view kOpenMetricsType = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Any number of mounts, each with the two readings at the ends of a second (or one twice): counters are of the
/// later one. Ends in "# EOF" and a line feed.
[[nodiscard]] std::string to_openmetrics(std::span<const StatReply* const> mounts);

}  // namespace fairfs::cli
