// What the parsers take, as they say it themselves: the truth for --help, the manual and the completions.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/manual_page.h"

namespace fairfs::test {

/// The words of a list such as "a, b or c" behind `before` in `line`; empty where that isn't in it.
[[nodiscard]] Names list_behind(const std::string& line, const std::string& before);

/// Options as option_names() and stat_option_names() show them, "-f [ --foreground ] arg": "-f", "--foreground".
[[nodiscard]] Names names_of(const std::vector<std::string>& displayed);

[[nodiscard]] Names mount_options();
/// Those that a mount option may have; empty where it is not one of a list.
[[nodiscard]] Names values_of(const std::string& mount_option);
/// Of the weights file: of a rule, and beside rules.
[[nodiscard]] Names rule_keys();
[[nodiscard]] Names file_keys();
/// Of --trace.
[[nodiscard]] Names trace_conditions();

}  // namespace fairfs::test
