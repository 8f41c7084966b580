#include "cli/stat_options.h"

#include <algorithm>
#include <boost/program_options.hpp>
#include <limits>
#include <vector>

#include "cli/failure.h"
#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

namespace po = boost::program_options;

constexpr std::string_view kProgram = "fairfs-stat";

po::variables_map parse(std::span<const char* const> arguments) {
  po::options_description named;
  auto add = named.add_options();
  add("set", po::value<std::string>());
  add("unset", po::value<std::string>());
  add("overrides", po::bool_switch());
  add("reload", po::bool_switch());
  add("once", po::bool_switch());
  add("json", po::bool_switch());
  add("interval", po::value<std::string>());
  add("count", po::value<std::string>());
  add("help,h", po::bool_switch());
  add("version,V", po::bool_switch());
  add("paths", po::value<std::vector<std::string>>());
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
    throw misused(error.what(), kProgram);
  }
  return map;
}

/// weight=20 is no mountpoint: a path with such a beginning is written ./weight=20.
bool is_rule_word(const std::string& word) {
  const auto equals = word.find('=');
  return equals != std::string::npos && equals != 0 &&
         std::all_of(word.begin(), word.begin() + static_cast<std::ptrdiff_t>(equals),
                     [](char letter) { return (letter >= 'a' && letter <= 'z') || letter == '_'; });
}

/// --set, --unset, --overrides, --reload: takes the words of a rule out of `paths`.
void choose_change(const po::variables_map& map, StatOptions& options, std::vector<std::string>& paths) {
  using Action = StatOptions::Action;
  const bool sets = map.count("set") != 0, unsets = map.count("unset") != 0;
  const bool lists = map["overrides"].as<bool>(), reloads = map["reload"].as<bool>();
  const int chosen = int{sets} + int{unsets} + int{lists} + int{reloads};
  if (chosen == 0) return;
  if (chosen > 1) throw misused("--set, --unset, --overrides and --reload exclude each other", kProgram);
  for (const char* const other : {"once", "json"}) {
    if (map[other].as<bool>()) throw misused(std::string{"--"} + other + " shows, and changes nothing", kProgram);
  }
  options.action = sets ? Action::set : unsets ? Action::unset : lists ? Action::overrides : Action::reload;
  if (unsets) {
    const auto& text = map["unset"].as<std::string>();
    if (text == "all") return;
    options.words = parse_rule_words(text);
    if (options.words.empty()) throw misused("--unset names nothing", kProgram);
    if (whom_of(options.words) != options.words) throw misused("--unset takes only whom it is for", kProgram);
  }
  if (!sets) return;
  std::string text = map["set"].as<std::string>();
  std::erase_if(paths, [&](const std::string& word) {
    if (!is_rule_word(word)) return false;
    text += "," + word;
    return true;
  });
  options.words = parse_rule_words(text);
}

}  // namespace

StatOptions parse_stat_options(std::span<const char* const> arguments) {
  const po::variables_map map = parse(arguments);
  StatOptions options;
  if (map["help"].as<bool>() || map["version"].as<bool>()) {
    options.action = map["help"].as<bool>() ? StatOptions::Action::help : StatOptions::Action::version;
    return options;
  }
  auto paths = map.count("paths") != 0 ? map["paths"].as<std::vector<std::string>>() : std::vector<std::string>{};
  choose_change(map, options, paths);
  options.mountpoints = std::move(paths);
  options.once = map["once"].as<bool>();
  options.json = map["json"].as<bool>();
  if (options.once && (map.count("interval") != 0 || map.count("count") != 0)) {
    throw misused("--once is the last full second: it takes neither --interval nor --count", kProgram);
  }
  if (map.count("interval") != 0) {
    const auto& text = map["interval"].as<std::string>();
    const auto interval_s = number_within(text, kIntervalLeast_s, kIntervalMost_s);
    if (!interval_s) throw misused("--interval: '" + text + "' is not a time from 0.1 to 86400 seconds", kProgram);
    options.interval_s = *interval_s;
  }
  if (map.count("count") != 0) {
    const auto& text = map["count"].as<std::string>();
    options.count = number_within(text, std::uint64_t{1}, std::numeric_limits<std::uint64_t>::max());
    if (!options.count) throw misused("--count: '" + text + "' is not a whole number from 1", kProgram);
  }
  return options;
}

std::string stat_help() {
  return R"(Usage: fairfs-stat [MOUNTPOINT...] [--interval S]
       fairfs-stat [MOUNTPOINT] [--once] [--json] [--interval S] [--count N]
       fairfs-stat [MOUNTPOINT] --set WHOM KEY=VALUE...
       fairfs-stat [MOUNTPOINT] --unset WHOM|all | --overrides | --reload
Shows what each program got of the disk behind a mounted fairfs, each second anew; changes weights
while it runs. Without MOUNTPOINT: all that are mounted, or the only one.

On a terminal it is a live view; F1 there shows its keys. Elsewhere, and with one of these, it writes:

  --once         the last full second, then end
  --json         one JSON object a line instead of a table
  --interval S   seconds between two looks, 0.1 to 86400 (default 1)
  --count N      end after N tables
  --set WHOM KEY=VALUE...
                 from now on, whatever the weights file says: --set command=rsync weight=20;
                 WHOM: cgroup=, command=, exe=, user=, group=, pid= (several with commas between),
                 or flow=; KEY: weight, class, flow
  --unset WHOM   undo that; --unset all: undo everything
  --overrides    what is set, the newest first
  --reload       read the weights file again, say what is wrong with it
  -h, --help     this text
  -V, --version  the version

DUE and GOT are fractions of the disk's time; a + behind GOT: the flow did not ask for more.
)";
}

}  // namespace fairfs::cli
