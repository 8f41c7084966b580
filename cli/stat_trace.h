// fairfs-stat --trace.
#pragma once

#include <iosfwd>

#include "cli/stat_client.h"
#include "cli/stat_options.h"

namespace fairfs::cli {

/// Writes each request that ends and that the filter lets through, until `options.count` of them. Throws Failure.
void follow_requests(const StatTarget& target, const StatOptions& options, std::ostream& out);

}  // namespace fairfs::cli
