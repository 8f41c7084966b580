// fairfs-stat: shows who gets what of the disk behind a mounted fairfs.
#include <exception>
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/answering_path.h"
#include "cli/failure.h"
#include "cli/live/feed.h"
#include "cli/live/live.h"
#include "cli/live/replay_feed.h"
#include "cli/output.h"
#include "cli/stat_client.h"
#include "cli/stat_explain.h"
#include "cli/stat_options.h"
#include "cli/stat_show.h"
#include "cli/stat_steer.h"
#include "cli/stat_trace.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

/// What is looked at to find out which mountpoint a path means; not the mountpoint itself.
std::string directory_above(const std::string& path) {
  std::filesystem::path at = std::filesystem::absolute(path).lexically_normal();
  if (!at.has_filename()) at = at.parent_path();
  return at.parent_path();
}

/// Those named, or all there are. Throws Failure where there is none.
std::vector<StatTarget> find_targets(const std::vector<std::string>& named) {
  const auto mounts = current_mounts();
  std::vector<StatTarget> result;
  for (const std::string& path : named) {
    check_that_answers("mountpoint", directory_above(path));
    const std::string mountpoint = resolve_mountpoint(path, mounts);
    result.push_back({socket_directory_of(mountpoint, mounts), mountpoint});
  }
  if (!result.empty()) return result;
  if (mounts.empty()) throw failed("stat", "", "no fairfs is mounted", "start one, or name its mountpoint");
  for (const Mount& mount : mounts) {
    // The last one mounted there is the one that is seen.
    std::erase_if(result, [&](const StatTarget& other) { return other.mountpoint == mount.mountpoint; });
    result.push_back({socket_directory_with(mount.owner, mount.mountpoint), mount.mountpoint});
  }
  return result;
}

/// The only one. Throws Failure, naming them, where there are several to choose from.
const StatTarget& only(const std::vector<StatTarget>& targets) {
  if (targets.size() == 1) return targets[0];
  std::string names;
  for (const StatTarget& target : targets) names.append(names.empty() ? "" : ", ").append(target.mountpoint);
  throw misused("several fairfs are mounted: name one of " + names, "fairfs-stat");
}

bool is_live(const StatOptions& options) {
  return !options.once && options.format == StatOptions::Format::table && !options.count && can_show_screens();
}

/// Each table takes the place of the last one where something can be placed.
bool clears(const StatOptions& options) { return options.format == StatOptions::Format::table && can_show_screens(); }

void replay(const StatOptions& options) {
  if (is_live(options)) {
    const auto between_s = options.has_interval ? std::optional{options.interval_s} : std::nullopt;
    auto feed = std::make_unique<ReplayFeed>(options.replay, between_s);
    std::vector<std::string> mountpoints = feed->mountpoints();
    run_live(std::move(feed), std::move(mountpoints), options.interval_s, true);
  } else {
    RecordedReadings readings{options.replay};
    show(readings, options, false, std::cout);
  }
}

void show_mounts(const std::vector<StatTarget>& targets, const StatOptions& options) {
  std::optional<Recorder> recorder;
  if (!options.record.empty()) recorder.emplace(options.record);
  Recorder* const record = recorder ? &*recorder : nullptr;
  if (options.format == StatOptions::Format::openmetrics) {
    show_openmetrics(targets, std::cout);
  } else if (is_live(options)) {
    std::vector<std::string> mountpoints;
    for (const StatTarget& target : targets) mountpoints.push_back(target.mountpoint);
    run_live(std::make_unique<LiveFeed>(targets, record), std::move(mountpoints), options.interval_s, false);
  } else if (options.once) {
    show_once(only(targets), options, std::cout);
  } else {
    DaemonReadings readings{only(targets), options.interval_s, record};
    show(readings, options, clears(options), std::cout);
  }
}

void run(std::span<const char* const> arguments) {
  using Action = StatOptions::Action;
  const StatOptions options = parse_stat_options(arguments);
  if (options.action == Action::help) {
    std::cout << stat_help();
    return;
  }
  if (options.action == Action::version) {
    std::cout << "fairfs-stat " << FAIRFS_VERSION << "\n";
    return;
  }
  if (!options.replay.empty()) {
    replay(options);
    return;
  }
  const std::vector<StatTarget> targets = find_targets(options.mountpoints);
  if (options.action == Action::show) {
    show_mounts(targets, options);
  } else if (options.action == Action::explain) {
    for (const std::string& sentence : why(only(targets), options.pid)) std::cout << printable(sentence) << "\n";
  } else if (options.action == Action::trace) {
    follow_requests(only(targets), options, std::cout);
  } else {
    steer(only(targets), options, std::cout);
  }
}

}  // namespace
}  // namespace fairfs::cli

int main(int count, char** arguments) {
  try {
    fairfs::cli::run({arguments + 1, arguments + (count > 0 ? count : 1)});
    fairfs::cli::flush(std::cout);
    return 0;
  } catch (const fairfs::cli::Failure& failure) {
    std::cout.flush();
    std::cerr << "fairfs-stat: " << failure.what() << "\n";
    return failure.exit_status();
  } catch (const std::exception& error) {
    std::cerr << "fairfs-stat: " << error.what() << "\n";
    return fairfs::cli::kExitFailed;
  }
}
