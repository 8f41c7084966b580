// fairfs-stat's figures written out: tables, JSON, CSV, OpenMetrics.
#pragma once

#include <iosfwd>
#include <vector>

#include "cli/readings.h"
#include "cli/stat_options.h"

namespace fairfs::cli {

/// Each interval between two readings, until there is none or `options.count` is reached. `clears`: each table takes
/// the place of the last one on the screen. With `options.once` only the last of each mount, at the end. Throws
/// Failure, also when `out` can't be written to.
void show(Readings& readings, const StatOptions& options, bool clears, std::ostream& out);

/// The last full second.
void show_once(const StatTarget& target, const StatOptions& options, std::ostream& out);

/// All mounts together, once.
void show_openmetrics(const std::vector<StatTarget>& targets, std::ostream& out);

}  // namespace fairfs::cli
