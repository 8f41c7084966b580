// The strings behind -o, as mount(8) writes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"

namespace fairfs::cli {

/// Splits at commas; `\,` is a comma and `\\` a backslash within an option, any other backslash is itself. Empty
/// options vanish, as in mount(8).
[[nodiscard]] std::vector<std::string> split_mount_options(std::string_view text);

/// Enters one option ("name" or "name=value") into `options`; of repeated ones the last counts. Throws Failure (exit
/// status 2) naming an option that is unknown or has a value out of its range.
void apply_mount_option(std::string_view option, Options& options);

/// What --help says of them, one a line.
[[nodiscard]] std::string_view mount_options_help();

}  // namespace fairfs::cli
