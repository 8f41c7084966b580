// fairfs-stat --set, --unset, --overrides, --reload.
#pragma once

#include <iosfwd>

#include "cli/stat_client.h"
#include "cli/stat_options.h"

namespace fairfs::cli {

/// Does what `options.action` says, and writes what is in force then. Throws Failure.
void steer(const StatTarget& target, const StatOptions& options, std::ostream& out);

}  // namespace fairfs::cli
