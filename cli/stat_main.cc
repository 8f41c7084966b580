// fairfs-stat: shows who gets what of the disk behind a mounted fairfs.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <exception>
#include <iostream>
#include <optional>
#include <span>
#include <thread>

#include "cli/failure.h"
#include "cli/interval_view.h"
#include "cli/json_view.h"
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

/// Prints the list and answers nothing when there are several to choose from.
std::optional<StatTarget> find_target(const std::string& named) {
  const auto mounts = current_mounts();
  if (!named.empty()) {
    const std::string mountpoint = resolve_mountpoint(named, mounts);
    return StatTarget{socket_directory_of(mountpoint, mounts), mountpoint};
  }
  if (mounts.empty()) throw failed("stat", "", "no fairfs is mounted", "start one, or name its mountpoint");
  if (mounts.size() == 1) return StatTarget{socket_directory(mounts[0].owner), mounts[0].mountpoint};
  for (const auto& mount : mounts) std::cout << printable(mount.mountpoint) << "  " << printable(mount.source) << "\n";
  return std::nullopt;
}

void show(const StatAbout& about, const engine::Snapshot& before, const engine::Snapshot& after,
          const StatOptions& options) {
  IntervalView interval = view(before, after, about.scheduling);
  interval.version = about.version;
  interval.mountpoint = about.mountpoint;
  interval.source = about.source;
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
      return show(reply.about, reply.readings[0], reply.readings[1], options);
    }
    if (Clock::now() > give_up)
      throw failed("stat", target.mountpoint, "its daemon's clock stands still", "restart it");
    std::this_thread::sleep_for(kFirstSecondRetry);
  }
}

engine::Snapshot first_reading(StatReply reply, const StatTarget& target) {
  if (reply.readings.empty()) throw failed("stat", target.mountpoint, "its daemon gave no reading", "restart it");
  return std::move(reply.readings[0]);
}

void show_repeatedly(const StatTarget& target, const StatOptions& options) {
  const auto interval = std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{options.interval_s});
  auto before = first_reading(ask(target, StatRequest::snapshot), target);
  auto due = Clock::now();
  for (std::uint64_t shown = 0; !options.count || shown < *options.count; ++shown) {
    std::this_thread::sleep_until(due += interval);
    StatReply reply = ask(target, StatRequest::snapshot);
    auto after = first_reading(reply, target);
    show(reply.about, before, after, options);
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
  const auto target = find_target(options.mountpoint);
  if (!target) throw misused("several fairfs are mounted: name one of them", "fairfs-stat");
  if (options.action != StatOptions::Action::show) {
    steer(*target, options, std::cout);
    return 0;
  }
  options.once ? show_once(*target, options) : show_repeatedly(*target, options);
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
