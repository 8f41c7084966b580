// fairfs-stat: shows who gets what of the disk behind a mounted fairfs.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <span>
#include <thread>
#include <vector>

#include "cli/failure.h"
#include "cli/interval_view.h"
#include "cli/json_view.h"
#include "cli/live/live.h"
#include "cli/stat_client.h"
#include "cli/stat_options.h"
#include "cli/stat_steer.h"
#include "cli/table_view.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// A daemon makes its first full second within two; asking ten times a second costs it nothing.
constexpr milliseconds kFirstSecondRetry{100};
constexpr std::chrono::seconds kFirstSecondPatience{10};

/// Those named, or all there are. Throws Failure where there is none.
std::vector<StatTarget> find_targets(const std::vector<std::string>& named) {
  const auto mounts = current_mounts();
  std::vector<StatTarget> result;
  for (const std::string& path : named) {
    const std::string mountpoint = resolve_mountpoint(path, mounts);
    result.push_back({socket_directory_of(mountpoint, mounts), mountpoint});
  }
  if (!result.empty()) return result;
  if (mounts.empty()) throw failed("stat", "", "no fairfs is mounted", "start one, or name its mountpoint");
  for (const Mount& mount : mounts) {
    // The last one mounted there is the one that is seen.
    std::erase_if(result, [&](const StatTarget& other) { return other.mountpoint == mount.mountpoint; });
    result.push_back({socket_directory(mount.owner), mount.mountpoint});
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

void show(const StatReply& reply, const engine::Snapshot& before, const engine::Snapshot& after,
          const StatOptions& options) {
  IntervalView interval = view(before, after, reply.about.scheduling);
  interval.about = reply.about;
  interval.state = reply.state;
  if (options.json) {
    std::cout << to_json_line(interval) << "\n";
  } else {
    // Home, and clear from there: less flicker than clearing first, and scrollback stays.
    if (!options.once && isatty(STDOUT_FILENO) != 0) std::cout << "\033[H\033[2J";
    std::cout << to_table(interval);
  }
  if (!std::cout.flush()) throw failed("stat", "", "can't write to standard output", "look where it leads");
}

void show_once(const StatTarget& target, const StatOptions& options) {
  const auto give_up = Clock::now() + kFirstSecondPatience;
  for (;;) {
    const StatReply reply = ask(target, StatRequest::second);
    if (reply.readings.size() == 2 && reply.readings[0].taken < reply.readings[1].taken) {
      return show(reply, reply.readings[0], reply.readings[1], options);
    }
    if (Clock::now() > give_up)
      throw failed("stat", target.mountpoint, "its daemon's clock stands still", "restart it");
    std::this_thread::sleep_for(kFirstSecondRetry);
  }
}

StatReply reading_of(const StatTarget& target) {
  StatReply reply = ask(target, StatRequest::snapshot);
  if (reply.readings.empty()) throw failed("stat", target.mountpoint, "its daemon gave no reading", "restart it");
  return reply;
}

void show_repeatedly(const StatTarget& target, const StatOptions& options) {
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{options.interval_s});
  StatReply before = reading_of(target);
  auto due = Clock::now();
  for (std::uint64_t shown = 0; !options.count || shown < *options.count;) {
    std::this_thread::sleep_until(due += interval);
    StatReply after = reading_of(target);
    if (after.about.instance == before.about.instance) {
      show(after, before.readings[0], after.readings[0], options);
      ++shown;
    }  // else it is another daemon, which counts anew
    before = std::move(after);
  }
}

int run(std::span<const char* const> arguments) {
  const StatOptions options = parse_stat_options(arguments);
  switch (options.action) {
    case StatOptions::Action::help:
      std::cout << stat_help();
      return 0;
    case StatOptions::Action::version:
      std::cout << "fairfs-stat " << FAIRFS_VERSION << "\n";
      return 0;
    default:
      break;
  }
  const std::vector<StatTarget> targets = find_targets(options.mountpoints);
  if (options.action != StatOptions::Action::show) {
    steer(only(targets), options, std::cout);
  } else if (!options.once && !options.json && !options.count && can_show_screens()) {
    run_live(targets, options.interval_s);
  } else {
    options.once ? show_once(only(targets), options) : show_repeatedly(only(targets), options);
  }
  return 0;
}

}  // namespace
}  // namespace fairfs::cli

int main(int count, char** arguments) {
  try {
    return fairfs::cli::run({arguments + 1, arguments + (count > 0 ? count : 1)});
  } catch (const fairfs::cli::Failure& failure) {
    std::cout.flush();
    std::cerr << "fairfs-stat: " << failure.what() << "\n";
    return failure.exit_status();
  } catch (const std::exception& error) {
    std::cerr << "fairfs-stat: " << error.what() << "\n";
    return fairfs::cli::kExitFailed;
  }
}
