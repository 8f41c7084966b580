// fairfs: mirrors a directory and shares the disk behind it among programs by weight.
#include <spdlog/spdlog.h>

#include <cstdio>
#include <exception>
#include <iostream>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/alert_watch.h"
#include "cli/answering_path.h"
#include "cli/daemon.h"
#include "cli/daemonize.h"
#include "cli/failure.h"
#include "cli/logging.h"
#include "cli/mount_helper.h"
#include "cli/options.h"
#include "cli/other_disks.h"
#include "cli/output.h"
#include "cli/profile_choice.h"
#include "cli/socket_path.h"
#include "cli/text.h"
#include "fs/filesystem.h"

namespace fairfs::cli {
namespace {

/// The one place where what went wrong becomes a line.
Failure current_failure() {
  try {
    throw;
  } catch (const Failure& failure) {
    return failure;
  } catch (const std::system_error& error) {
    return failed(error);
  } catch (const std::bad_alloc&) {
    return failed("memory", "", "there is not enough of it", "make room, or raise the limit (ulimit -v)");
  } catch (const std::exception& error) {
    return {kExitFailed, error.what()};
  }
}

void check_config(const std::string& path) {
  const engine::WeightRules rules = WeightsFile{path, "name a file that can be read"}.load();
  std::cout << printable(path) << ": ok, " << rules.rules.size() << " rules\n";
  for (const std::string& line : forgeable_rules(rules, path)) std::cout << line << "\n";  // as the mount's alerts will
}

/// The same twice is a slip, as it is for mount(2); another source may be mounted over a fairfs.
void refuse_second(const fs::MountConfig& wanted) {
  const std::string& source = wanted.fsname.empty() ? wanted.source : wanted.fsname;
  for (const Mount& there : current_mounts()) {
    if (there.mountpoint == wanted.mountpoint && there.source == source)
      throw failed("mountpoint", wanted.mountpoint, source + " is mounted here already", "unmount it first");
  }
}

/// Takes away what dead daemons left at the mountpoint. True if there was anything. Throws where a living one hangs.
bool clear_the_way(const std::string& mountpoint) {
  // A daemon that died again and again while it was started over its own dead mount leaves as many as that.
  constexpr int kStackedMost = 64;
  for (int cleared = 0; cleared < kStackedMost; ++cleared) {
    check_that_answers("mountpoint", mountpoint);
    if (!fs::clear_dead_mount(mountpoint)) return cleared > 0;
  }
  return true;
}

int mount(Options options) {
  const bool was_dead = clear_the_way(options.mount.mountpoint);
  check_that_answers("source", options.mount.source);
  resolve_paths(options);
  refuse_second(options.mount);
  Preparation preparation = prepare(options);
  configure_logging(options);
  if (options.probe != Options::Probe::off) spdlog::info("disk: {}", printable(preparation.profile.reason));
  options.mount.on_another_disk = watch_for_other_disks();
  if (was_dead) spdlog::warn("{}: took away the mount that a dead daemon left", options.mount.mountpoint);
  if (options.foreground) {
    serve(options, std::move(preparation), [] {});
    return 0;
  }
  Background background{options.mount.mountpoint};  // only the child returns
  try {
    serve(options, std::move(preparation), [&background] { background.ready(); });
    return 0;
  } catch (...) {
    const Failure failure = current_failure();
    spdlog::error(failure.what());
    background.fail(failure.what());
    return failure.exit_status();
  }
}

int run(std::span<const char* const> arguments) {
  Options options = parse_options(arguments);
  switch (options.action) {
    case Options::Action::help:
      std::cout << help();
      break;
    case Options::Action::version:
      std::cout << "fairfs " << FAIRFS_VERSION << "\n";
      break;
    case Options::Action::check_config:
      check_config(options.config);
      break;
    case Options::Action::probe:
      print_profile(options);
      break;
    case Options::Action::mount:
      return mount(std::move(options));
  }
  flush(std::cout);
  return 0;
}

int run_for_mount(std::span<const char* const> arguments) {
  const MountHelperCall call = mount_helper_call(arguments);
  std::vector<const char*> words;
  for (const std::string& word : call.arguments) words.push_back(word.c_str());
  if (!call.fake) return run(words);
  Options options = parse_options(words);
  resolve_paths(options);
  return 0;
}

}  // namespace
}  // namespace fairfs::cli

int main(int count, char** arguments) {
  fairfs::cli::hold_standard_descriptors();
  try {
    const std::span<const char* const> words{arguments + 1, arguments + (count > 0 ? count : 1)};
    const bool for_mount = count > 0 && fairfs::cli::is_mount_helper(arguments[0]);
    return for_mount ? fairfs::cli::run_for_mount(words) : fairfs::cli::run(words);
  } catch (...) {
    const fairfs::cli::Failure failure = fairfs::cli::current_failure();
    std::fprintf(stderr, "fairfs: %s\n", failure.what());
    return failure.exit_status();
  }
}
