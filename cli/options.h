// What the caller of fairfs wants, as plain data.
#pragma once

#include <sys/mount.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/metrics_address.h"
#include "cli/stat_access.h"
#include "fs/filesystem.h"
#include "sched/engine/weight_rules.h"
#include "sched/scheduler.h"

namespace fairfs::cli {

enum class LogLevel : std::uint8_t { trace, debug, info, warning, error };

struct Options {
  enum class Action : std::uint8_t { mount, help, version, check_config, probe } action = Action::mount;
  bool foreground = false;  ///< -f, or -d
  std::string config;       ///< of --check-config
  std::string weights;      ///< file; empty: no rules
  enum class Probe : std::uint8_t { off, automatic, run, file } probe = Probe::automatic;
  std::string profile;   ///< of Probe::file
  bool json = false;     ///< --json, beside --probe-only
  std::string log_file;  ///< empty: stderr in the foreground, syslog in the background
  LogLevel log_level = LogLevel::info;
  std::optional<MetricsAddress> metrics;
  StatAccess stat_access;  ///< who beside root and our own user may look with fairfs-stat
  engine::Grouping grouping = engine::Grouping::cgroup;
  sched::Policy policy = sched::Policy::fair;
  std::optional<std::uint32_t> depth;  ///< 1..1024, instead of the profile's
  std::optional<bool> idle;  ///< take turns and hold the disk for streams, or never, instead of the profile's verdict
  sched::Duration max_wait = sched::SchedulerConfig{}.max_wait;
  /// Source and mountpoint as they were written, until resolve_paths. A stranger's device node or set-user-id program
  /// on a mirrored directory must not work: nosuid and nodev unless the caller says otherwise.
  fs::MountConfig mount{.source = {}, .mountpoint = {}, .fsname = {}, .mount_flags = MS_NOSUID | MS_NODEV};
};

/// The command line without the program's name. Throws Failure with exit status 2.
[[nodiscard]] Options parse_options(std::span<const char* const> arguments);

/// Makes every path absolute (the background process works in /), source and mountpoint canonical. Throws Failure
/// naming the path that is missing or not a directory.
void resolve_paths(Options& options);

[[nodiscard]] std::string help();

/// All options but SOURCE and MOUNTPOINT, as "-f [ --foreground ]" or "--json": what --help, the manual and the
/// completions must have.
[[nodiscard]] std::vector<std::string> option_names();

}  // namespace fairfs::cli
