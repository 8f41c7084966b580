// fairfs-stat --explain.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "cli/stat_client.h"

namespace fairfs::cli {

/// Why the process gets what it gets of that mount, in sentences. Throws Failure: there is no such process.
[[nodiscard]] std::vector<std::string> why(const StatTarget& target, pid_t pid);

}  // namespace fairfs::cli
