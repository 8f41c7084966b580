// Where the daemon's words go.
#pragma once

#include "cli/options.h"

namespace fairfs::cli {

/// Makes spdlog's default logger: the log file if one is given, else stderr in the foreground, else syslog. Throws
/// Failure when the file can't be written. Before any thread; a later fork may keep it.
void configure_logging(const Options& options);

}  // namespace fairfs::cli
