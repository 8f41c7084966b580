// Why a process weighs what it weighs, on its way through the control socket.
#pragma once

#include <string>
#include <string_view>

#include "cli/rule_words.h"
#include "sched/engine/explanation.h"

namespace fairfs::cli {

[[nodiscard]] std::string explain_line(pid_t pid);
[[nodiscard]] std::string to_line(const engine::Explanation& explanation);
/// Throws std::runtime_error as the parsers of stat_protocol.h do. Of rules, `line`, `overrides` and the words arrive.
[[nodiscard]] engine::Explanation parse_explanation(std::string_view line);

/// The rule's keys as they stand in a weights file.
[[nodiscard]] RuleWords words_of(const engine::WeightRule& rule);

}  // namespace fairfs::cli
