// The part of a rule that says what is guaranteed and allowed: floors, ceilings, latency.
#pragma once

#include "cli/config_file.h"
#include "sched/limits.h"

namespace fairfs::cli {

/// min_read, min_write, max_read, max_write ("50MB/s"), min_iops, max_iops (numbers), latency ("20ms"). Throws
/// ConfigError for what is none of that or out of range, and for a floor above its ceiling.
[[nodiscard]] sched::Limits parse_limits(const ConfigTable& rule);

}  // namespace fairfs::cli
