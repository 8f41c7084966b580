// What probe=auto|run|off|FILE means: where the profile of a mount's disk comes from.
#pragma once

#include "cli/options.h"
#include "sched/disk_profile.h"

namespace fairfs::cli {

/// off: a stated default. FILE: read. run: measured, and kept. auto: what is kept, unless it is over 30 days old (one
/// day, if it was measured with low confidence); else as run, but with Policy::off as off. Shows how far it is on
/// stderr if that is a terminal. What was measured while others used the disk is not kept.
/// Throws Failure for a FILE that can't be read.
[[nodiscard]] sched::DiskProfile choose_profile(const Options& options);

/// Measures anew whatever is kept, and keeps it. Waits while another fairfs measures the same disk.
[[nodiscard]] sched::DiskProfile measure_profile(const std::string& directory);

/// fairfs --probe-only [--json] DIR: the profile on stdout, words on stderr.
void print_profile(const Options& options);

}  // namespace fairfs::cli
