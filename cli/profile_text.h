// A disk profile written down: for people and the cache in TOML, for programs in JSON.
#pragma once

#include <string>

#include "sched/disk_profile.h"

namespace fairfs::cli {

/// What parse_profile reads back to the same profile (numbers to a thousandth).
[[nodiscard]] std::string profile_text(const sched::DiskProfile& profile);

/// One object without a line feed; null stands where nothing was measured.
[[nodiscard]] std::string profile_json(const sched::DiskProfile& profile);

/// "none", "low", "high".
[[nodiscard]] std::string_view spelled(sched::Confidence confidence);

}  // namespace fairfs::cli
