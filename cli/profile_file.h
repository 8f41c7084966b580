// A disk profile as text: what the probe writes (cli/profile_text.h), and what a person may write instead.
#pragma once

#include <string>
#include <string_view>

#include "sched/disk_profile.h"

namespace fairfs::cli {

/// Of the format. A file without a `version` is of this one.
inline constexpr int kProfileVersion = 1;

/// TOML with the fields of sched::DiskProfile; cli/README.md lists the keys. What is missing keeps its default. Throws
/// ConfigError, also for unknown keys and other versions.
[[nodiscard]] sched::DiskProfile parse_profile(std::string_view text, std::string_view file);

/// Throws Failure naming the path when it can't be read.
[[nodiscard]] sched::DiskProfile load_profile(const std::string& path);

}  // namespace fairfs::cli
