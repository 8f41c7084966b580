// What the caller of fairfs-stat wants, as plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/rule_words.h"

namespace fairfs::cli {

/// Seconds between two looks: faster than ten times a second nobody reads; slower than once a day nobody waits.
inline constexpr double kIntervalLeast_s = 0.1, kIntervalMost_s = 86400;

struct StatOptions {
  enum class Action : std::uint8_t { show, set, unset, overrides, reload, help, version } action = Action::show;
  std::vector<std::string> mountpoints;  ///< as written; none: those there are
  bool once = false;                     ///< the last full second, then end
  bool json = false;
  RuleWords words;  ///< of --set and --unset; empty with --unset all
  double interval_s = 1.0;
  std::optional<std::uint64_t> count;  ///< tables to show; nothing: for ever
};

/// The command line without the program's name. Throws Failure with exit status 2.
[[nodiscard]] StatOptions parse_stat_options(std::span<const char* const> arguments);

[[nodiscard]] std::string stat_help();

}  // namespace fairfs::cli
