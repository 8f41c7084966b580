// Where the daemon's metrics can be asked for.
#pragma once

#include "cli/metrics_address.h"
#include "cli/stat_access.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// A socket that listens and never blocks. A Unix socket replaces one that nobody listens on any more, and is open to
/// whom `access` names (a port has no owner: any program of this machine may ask). Throws Failure.
[[nodiscard]] UniqueFd metrics_listener(const MetricsAddress& address, const StatAccess& access);

}  // namespace fairfs::cli
