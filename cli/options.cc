#include "cli/options.h"

#include <sys/stat.h>

#include <boost/program_options.hpp>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <vector>

#include "cli/comma_list.h"
#include "cli/failure.h"
#include "cli/mount_options.h"

namespace fairfs::cli {
namespace {

namespace po = boost::program_options;

po::options_description named_options() {
  po::options_description named;
  auto add = named.add_options();
  add("options,o", po::value<std::vector<std::string>>()->composing());
  add("foreground,f", po::bool_switch());
  add("debug,d", po::bool_switch());
  add("help,h", po::bool_switch());
  add("version,V", po::bool_switch());
  add("check-config", po::value<std::string>());
  add("probe-only", po::bool_switch());
  add("json", po::bool_switch());
  return named;
}

po::variables_map parse(std::span<const char* const> arguments) {
  po::options_description named = named_options();
  named.add_options()("paths", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("paths", -1);
  // Guessing would make every new option a change of the old ones' abbreviations.
  namespace style = po::command_line_style;
  const int exact = style::unix_style & ~style::allow_guessing;
  po::variables_map map;
  try {
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    po::store(po::command_line_parser(words).options(named).positional(positional).style(exact).run(), map);
    po::notify(map);
  } catch (const po::error& error) {
    throw misused(error.what());
  }
  return map;
}

void check_directory(std::string_view what, const std::string& path, std::string_view advice) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) {
    const int error = errno;
    throw failed(what, path, error, error == ENOTCONN ? "its daemon is gone: unmount it with umount -l first" : advice);
  }
  if (!S_ISDIR(status.st_mode)) throw failed(what, path, ENOTDIR, advice);
}

/// Symbolic links resolved, so that the path still means the same when something is mounted over a part of it.
std::string canonical(std::string_view what, const std::string& path, std::string_view advice) {
  check_directory(what, path, advice);
  const std::unique_ptr<char, decltype(&std::free)> resolved{realpath(path.c_str(), nullptr), &std::free};
  if (!resolved) throw failed(what, path, errno, advice);
  return resolved.get();
}

void make_absolute(std::string& path) {
  if (!path.empty()) path = std::filesystem::absolute(path);
}

}  // namespace

std::vector<std::string> option_names() {
  std::vector<std::string> names;
  const po::options_description named = named_options();
  for (const auto& option : named.options()) names.push_back(option->format_name());
  return names;
}

Options parse_options(std::span<const char* const> arguments) {
  const po::variables_map map = parse(arguments);
  Options options;
  if (map["help"].as<bool>() || map["version"].as<bool>()) {
    options.action = map["help"].as<bool>() ? Options::Action::help : Options::Action::version;
    return options;
  }
  const auto paths = map.count("paths") != 0 ? map["paths"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (map.count("check-config") != 0) {
    if (!paths.empty()) throw misused("--check-config takes no SOURCE");
    options.action = Options::Action::check_config;
    options.config = map["check-config"].as<std::string>();
    return options;
  }
  options.json = map["json"].as<bool>();
  if (map["probe-only"].as<bool>()) {
    if (paths.size() != 1) throw misused("--probe-only takes one DIR");
    options.action = Options::Action::probe;
    options.mount.source = paths[0];
    return options;
  }
  if (options.json) throw misused("--json goes with --probe-only");
  if (paths.empty()) throw misused("SOURCE and MOUNTPOINT are missing");
  if (paths.size() == 1) throw misused("MOUNTPOINT is missing");
  if (paths.size() > 2) throw misused("unexpected '" + paths[2] + "' after MOUNTPOINT");
  options.mount.source = paths[0];
  options.mount.mountpoint = paths[1];
  if (map.count("options") != 0) {
    for (const auto& text : map["options"].as<std::vector<std::string>>()) {
      for (const auto& option : split_at_commas(text)) apply_mount_option(option, options);
    }
  }
  options.mount.debug = map["debug"].as<bool>();
  options.foreground = options.mount.debug || map["foreground"].as<bool>();
  if (options.mount.debug && options.log_level > LogLevel::debug) options.log_level = LogLevel::debug;
  return options;
}

void resolve_paths(Options& options) {
  options.mount.source = canonical("source", options.mount.source, "name a directory that exists");
  options.mount.mountpoint =
      canonical("mountpoint", options.mount.mountpoint, "name a directory that exists, or create it");
  if (options.mount.fsname.empty()) options.mount.fsname = options.mount.source;
  make_absolute(options.weights);
  make_absolute(options.profile);
  make_absolute(options.log_file);
}

}  // namespace fairfs::cli
