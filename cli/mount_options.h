// The strings behind -o, as mount(8) writes them.
#pragma once

#include <string_view>
#include <vector>

#include "cli/options.h"

namespace fairfs::cli {

/// Enters one option ("name" or "name=value") into `options`; of repeated ones the last counts. Throws Failure (exit
/// status 2) naming an option that is unknown or has a value out of its range.
void apply_mount_option(std::string_view option, Options& options);

/// Every name that apply_mount_option takes: what --help, the manual and the completions must have.
[[nodiscard]] std::vector<std::string_view> mount_option_names();

/// What --help says of them, one a line.
[[nodiscard]] std::string_view mount_options_help();

}  // namespace fairfs::cli
