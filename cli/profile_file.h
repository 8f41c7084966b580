// A disk profile as text: what the probe will write, and what a person may write instead.
#pragma once

#include <string>
#include <string_view>

#include "sched/disk_profile.h"

namespace fairfs::cli {

/// TOML with the fields of sched::DiskProfile: depth, parallelism, sync_us, and in [read] and [write]
/// base_sequential_us, base_random_us, bytes_per_s. What is missing keeps its default. Throws ConfigError, also for
/// unknown keys.
[[nodiscard]] sched::DiskProfile parse_profile(std::string_view text, std::string_view file);

/// The default profile for an empty path. Throws Failure naming the path when it can't be read.
[[nodiscard]] sched::DiskProfile load_profile(const std::string& path);

}  // namespace fairfs::cli
