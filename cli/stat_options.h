// What the caller of fairfs-stat wants, as plain data.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/rule_words.h"
#include "cli/trace_filter.h"

namespace fairfs::cli {

/// Seconds between two looks: faster than ten times a second nobody reads; slower than once a day nobody waits.
inline constexpr double kIntervalLeast_s = 0.1, kIntervalMost_s = 86400;

struct StatOptions {
  enum class Action : std::uint8_t {
    show,
    explain,
    trace,
    set,
    unset,
    overrides,
    reload,
    help,
    version
  } action = Action::show;
  enum class Format : std::uint8_t { table, json, csv, openmetrics } format = Format::table;
  std::vector<std::string> mountpoints;  ///< as written; none: those there are
  bool once = false;                     ///< the last full second, then end
  double interval_s = 1.0;
  bool has_interval = false;           ///< it was given
  std::optional<std::uint64_t> count;  ///< tables or requests to show; nothing: for ever
  std::string record, replay;          ///< files
  RuleWords words;                     ///< of --set and --unset; empty with --unset all
  pid_t pid = 0;                       ///< of --explain
  TraceFilter filter;                  ///< of --trace
};

/// The command line without the program's name. Throws Failure with exit status 2.
[[nodiscard]] StatOptions parse_stat_options(std::span<const char* const> arguments);

[[nodiscard]] std::string stat_help();

/// All options, as "-h [ --help ]" or "--json": what --help, the manual and the completions must have.
[[nodiscard]] std::vector<std::string> stat_option_names();

}  // namespace fairfs::cli
