#include "cli/stat_options.h"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <limits>
#include <utility>
#include <vector>

#include "cli/failure.h"
#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

namespace po = boost::program_options;

using Action = StatOptions::Action;
using Format = StatOptions::Format;

constexpr std::string_view kProgram = "fairfs-stat";
/// The kernel's PID_MAX_LIMIT.
constexpr pid_t kPidMost = 1 << 22;

[[noreturn]] void misuse(const std::string& what) { throw misused(what, kProgram); }

po::options_description named_options() {
  po::options_description named;
  auto add = named.add_options();
  for (const char* name : {"set", "unset", "explain", "record", "replay", "interval", "count"}) {
    add(name, po::value<std::string>());
  }
  for (const char* name :
       {"overrides", "reload", "trace", "once", "json", "csv", "openmetrics", "help,h", "version,V"}) {
    add(name, po::bool_switch());
  }
  return named;
}

po::variables_map parse(std::span<const char* const> arguments) {
  po::options_description named = named_options();
  named.add_options()("paths", po::value<std::vector<std::string>>());
  po::positional_options_description positional;
  positional.add("paths", -1);
  namespace style = po::command_line_style;
  const int exact = style::unix_style & ~style::allow_guessing;
  po::variables_map map;
  try {
    const std::vector<std::string> words(arguments.begin(), arguments.end());
    po::store(po::command_line_parser(words).options(named).positional(positional).style(exact).run(), map);
    po::notify(map);
  } catch (const po::error& error) {
    misuse(error.what());
  }
  return map;
}

bool is_given(const po::variables_map& map, const char* name) {
  const auto& value = map[name];
  if (value.empty()) return false;
  const auto* const is_set = boost::any_cast<bool>(&value.value());
  return is_set == nullptr || *is_set;
}

std::string text_of(const po::variables_map& map, const char* name) {
  return map.count(name) != 0 ? map[name].as<std::string>() : std::string{};
}

/// The one of `names` that is given, or null; at most one may be.
template <typename Meaning, std::size_t size>
const std::pair<const char*, Meaning>* only_one(const po::variables_map& map,
                                                const std::array<std::pair<const char*, Meaning>, size>& names) {
  const std::pair<const char*, Meaning>* chosen = nullptr;
  for (const auto& entry : names) {
    if (!is_given(map, entry.first)) continue;
    if (chosen != nullptr) {
      misuse("--" + std::string{chosen->first} + " and --" + entry.first + " exclude each other");
    }
    chosen = &entry;
  }
  return chosen;
}

/// weight=20 is no mountpoint: a path with such a beginning is written ./weight=20.
bool is_condition(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && equals != 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '_'; });
}

/// Takes the words of a rule or a filter out of `paths`.
std::vector<std::string> take_conditions(std::vector<std::string>& paths) {
  const auto first = std::stable_partition(paths.begin(), paths.end(), [](auto& word) { return !is_condition(word); });
  std::vector<std::string> taken{std::make_move_iterator(first), std::make_move_iterator(paths.end())};
  paths.erase(first, paths.end());
  return taken;
}

void read_words(const po::variables_map& map, StatOptions& options, std::vector<std::string>& paths) {
  switch (options.action) {
    case Action::set: {
      std::string text = text_of(map, "set");
      for (const std::string& word : take_conditions(paths)) text += "," + word;
      options.words = parse_rule_words(text);
      break;
    }
    case Action::unset: {
      const std::string text = text_of(map, "unset");
      if (text == "all") break;
      options.words = parse_rule_words(text);
      if (options.words.empty()) misuse("--unset names nothing");
      if (whom_of(options.words) != options.words) misuse("--unset takes only whom it is for");
      break;
    }
    case Action::explain: {
      const auto pid = number_within(text_of(map, "explain"), pid_t{1}, kPidMost);
      if (!pid) misuse("--explain: '" + text_of(map, "explain") + "' is not a process id");
      options.pid = *pid;
      break;
    }
    case Action::trace:
      for (const std::string& word : take_conditions(paths)) add_condition(options.filter, word);
      break;
    default:
      break;
  }
}

void read_numbers(const po::variables_map& map, StatOptions& options) {
  if (is_given(map, "interval")) {
    const std::string text = text_of(map, "interval");
    const auto interval_s = number_within(text, kIntervalLeast_s, kIntervalMost_s);
    if (!interval_s) misuse("--interval: '" + text + "' is not a time from 0.1 to 86400 seconds");
    options.interval_s = *interval_s;
    options.has_interval = true;
  }
  if (is_given(map, "count")) {
    const std::string text = text_of(map, "count");
    options.count = number_within(text, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
    if (!options.count) misuse("--count: '" + text + "' is not a whole number from 1");
  }
}

/// `name` goes with none of `others`.
void exclude(const po::variables_map& map, const char* name, std::initializer_list<const char*> others) {
  if (!is_given(map, name)) return;
  for (const char* other : others) {
    if (is_given(map, other)) misuse("--" + std::string{name} + " and --" + other + " exclude each other");
  }
}

}  // namespace

std::vector<std::string> stat_option_names() {
  std::vector<std::string> names;
  const po::options_description named = named_options();
  for (const auto& option : named.options()) names.push_back(option->format_name());
  return names;
}

StatOptions parse_stat_options(std::span<const char* const> arguments) {
  static constexpr std::array kActions{std::pair{"set", Action::set},
                                       std::pair{"unset", Action::unset},
                                       std::pair{"overrides", Action::overrides},
                                       std::pair{"reload", Action::reload},
                                       std::pair{"explain", Action::explain},
                                       std::pair{"trace", Action::trace}};
  static constexpr std::array kFormats{std::pair{"json", Format::json}, std::pair{"csv", Format::csv},
                                       std::pair{"openmetrics", Format::openmetrics}};
  const po::variables_map map = parse(arguments);
  StatOptions options;
  if (is_given(map, "help") || is_given(map, "version")) {
    options.action = is_given(map, "help") ? Action::help : Action::version;
    return options;
  }
  auto paths = map.count("paths") != 0 ? map["paths"].as<std::vector<std::string>>() : std::vector<std::string>{};
  if (const auto* const chosen = only_one(map, kActions)) options.action = chosen->second;
  if (const auto* const chosen = only_one(map, kFormats)) options.format = chosen->second;
  for (const char* changes : {"set", "unset", "overrides", "reload", "explain"}) {
    exclude(map, changes, {"once", "json", "csv", "openmetrics", "record", "replay", "interval", "count"});
  }
  exclude(map, "trace", {"once", "csv", "openmetrics", "record", "replay", "interval"});
  exclude(map, "openmetrics", {"once", "record", "replay", "interval", "count"});
  exclude(map, "once", {"record", "interval", "count"});  // it is the last full second
  exclude(map, "record", {"replay"});
  options.once = is_given(map, "once");
  options.record = text_of(map, "record");
  options.replay = text_of(map, "replay");
  read_words(map, options, paths);
  read_numbers(map, options);
  if (!options.replay.empty() && !paths.empty()) misuse("--replay takes no MOUNTPOINT: the file says which it was");
  options.mountpoints = std::move(paths);
  return options;
}

}  // namespace fairfs::cli
