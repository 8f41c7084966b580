// The manual, --help and the parsers say the same, both ways: what one of them has, the others have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "cli/alert_watch.h"
#include "cli/csv_view.h"
#include "cli/json_view.h"
#include "cli/live/columns.h"
#include "cli/live/keys.h"
#include "cli/mount_options.h"
#include "cli/openmetrics.h"
#include "cli/options.h"
#include "cli/profile_file.h"
#include "cli/stat_options.h"
#include "cli/trace_filter.h"
#include "cli/trace_text.h"
#include "cli/weights_file.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/manual_page.h"
#include "tests/cli/parser_names.h"

namespace fairfs::test {
namespace {

using testing::ContainerEq;
using testing::IsSubsetOf;

const std::string kProgramOptions = "Mirrors the directory", kMountOptions = "Mount options:";

Names keys_of(const nlohmann::json& object) {
  Names names;
  for (const auto& [key, value] : object.items()) names.insert(key);
  return names;
}

// ---- the reading of pages bites ---------------------------------------------------------------------------------

TEST(ManualPage, ItemsOfASection) {
  const ManualPage page{
      ".Sh OPTIONS\n.Fl x\n.It Fl h , Fl -help Ar FILE\n.Sh KEYS\n.It Ic ro , rw , a_b Ns = Ns Cm on | off | x: Ns Ar "
      "y\n"
      ".\\\" .It Ic no\n.It Li \\&? , \\e\n"};
  EXPECT_THAT(page.explained("OPTIONS", "Fl"), ContainerEq(Names{"-h", "--help"}));
  EXPECT_THAT(page.explained("KEYS", "Ic"), ContainerEq(Names{"ro", "rw", "a_b"}));
  EXPECT_THAT(page.explained("KEYS", "Li"), ContainerEq(Names{"?", "\\"}));
  EXPECT_THAT(page.values("KEYS", "ro"), ContainerEq(Names{"on", "off"}));
  EXPECT_THAT(page.mentioned("Fl"), ContainerEq(Names{"-x"}));
  const ManualPage said{".Sh ALERTS\n.It Ar FILE : Ns Ar LINE : it is (so): Ar N No times\n.It Ar WHAT ; No see it\n"};
  EXPECT_THAT(said.patterns("ALERTS"), testing::ElementsAre(".+\\:.+\\: it is \\(so\\)\\: .+ times", ".+\\; see it"));
}

TEST(ManualPage, FirstColumnOfHelp) {
  EXPECT_THAT(explained_by_help("Usage:\n\n  -f, --fore ARG  x\n      y=1\n  --set WHOM K=V...\n      z\n\n  -n  no\n",
                                "Usage"),
              ContainerEq(Names{"-f", "--fore", "--set"}));
  EXPECT_THAT(explained_by_help("Options:\n  a=FILE  b\n  ro x-*\n          as in mount\n  A comma is c\n", "Options"),
              ContainerEq(Names{"a", "ro", "x-*"}));
}

// ---- fairfs -----------------------------------------------------------------------------------------------------

TEST(Manual, OptionsOfFairfs) {
  const Names names = names_of(cli::option_names());
  EXPECT_THAT(explained_by_help(cli::help(), kProgramOptions), ContainerEq(names));
  EXPECT_THAT(ManualPage::of_name("fairfs.8").explained("OPTIONS", "Fl"), ContainerEq(names));
}

TEST(Manual, MountOptions) {
  EXPECT_THAT(explained_by_help(cli::help(), kMountOptions), ContainerEq(mount_options()));
  EXPECT_THAT(ManualPage::of_name("fairfs.8").explained("MOUNT OPTIONS", "Ic"), ContainerEq(mount_options()));
}

TEST(Manual, ValuesOfMountOptions) {
  const ManualPage page = ManualPage::of_name("fairfs.8");
  std::size_t chosen = 0;
  for (const std::string& name : mount_options()) {
    const Names values = page.values("MOUNT OPTIONS", name), taken = values_of(name);
    cli::Options ignored;
    for (const std::string& value : values)
      EXPECT_NO_THROW(cli::apply_mount_option(name + "=" + value, ignored)) << name << "=" << value;
    if (taken.empty()) continue;
    EXPECT_THAT(values, ContainerEq(taken)) << name;
    ++chosen;
  }
  EXPECT_GE(chosen, 5U);
}

TEST(Manual, DiskProfile) {
  const auto keys = [](const std::string& text) {
    return list_behind(failure_of([&] { (void)cli::parse_profile(text, "f"); }).second, "allowed are ");
  };
  Names names = keys("nonsense = 1\n");
  names.merge(keys("[read]\nnonsense = 1\n"));
  EXPECT_GE(names.size(), 19U);
  EXPECT_THAT(ManualPage::of_name("fairfs.8").explained("DISK PROFILE", "Va"), ContainerEq(names));
}

/// The program as it is built: beside this test.
std::string program_text() {
  const auto built = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin/fairfs";
  std::ifstream file{built, std::ios::binary};
  return {std::istreambuf_iterator<char>{file}, {}};
}

TEST(Manual, VariablesAreLookedAt) {
  const std::string program = program_text();
  if (program.empty()) GTEST_SKIP() << "fairfs is not built";
  for (const std::string& name : ManualPage::of_name("fairfs.8").explained("ENVIRONMENT", "Ev")) {
    const std::string ended = name + '\0';
    const std::boyer_moore_horspool_searcher searcher{ended.begin(), ended.end()};
    EXPECT_NE(std::search(program.begin(), program.end(), searcher), program.end()) << name;
  }
}

/// Every alert there is, raised.
std::vector<std::string> all_alerts() {
  using namespace std::chrono_literals;
  engine::Snapshot before, after;
  before.flows.resize(2);
  before.flows[0].name = "fio[7]";
  before.flows[1].key = 1;
  after = before;
  after.depth = 16;
  after.flows[0].counters.starved = after.flows[0].counters.active = after.flows[1].counters.active = 1s;
  after.slowness = 3;
  after.taken += 1s;
  cli::AlertSigns signs{.before = before,
                        .after = after,
                        .has_rules = true,
                        .elevator = "bfq",
                        .disk_bytes_per_s = 100e6,
                        .foreign_bytes_per_s = 60e6};
  cli::AlertWatch watch;
  watch.set_weights_error("w.toml:2:1: key 'x' is not known; allowed are default_weight, rule");
  watch.set_forgeable(
      cli::forgeable_rules(cli::parse_weights("[[rule]]\ncommand = \"rsync\"\nweight = 5\n", "w.toml"), "w.toml"));
  for (int second = 1; second <= 60; ++second) {
    if (second > 40) signs.machine = {.processor_use = 1, .disk_queue = 0.1};  // before it there were some to spare
    (void)watch.look(signs, sched::Time{std::chrono::seconds{second}});
  }
  return watch.standing();
}

TEST(Manual, Alerts) {
  const auto patterns = ManualPage::of_name("fairfs.8").patterns("ALERTS");
  const auto alerts = all_alerts();
  EXPECT_EQ(alerts.size(), patterns.size());
  for (const std::string& alert : alerts) {
    EXPECT_EQ(std::count_if(patterns.begin(), patterns.end(),
                            [&](const std::string& pattern) { return std::regex_match(alert, std::regex{pattern}); }),
              1)
        << alert;
  }
}

/// All of the product's own text.
std::string sources() {
  std::string all;
  for (const char* folder : {"/cli", "/fs"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator{std::string{FAIRFS_SOURCE_DIR} + folder}) {
      if (entry.path().extension() != ".cc") continue;
      std::ifstream file{entry.path()};
      all.append(std::istreambuf_iterator<char>{file}, {});
    }
  }
  return all;
}

// What a failure begins with, up to the first colon.
TEST(Manual, KindsOfFailure) {
  Names explained;
  for (const char* name : {"fairfs.8", "fairfs-stat.1"}) {
    for (std::string pattern : ManualPage::of_name(name).patterns("DIAGNOSTICS")) {
      pattern = pattern.substr(0, std::min(pattern.find(".+"), pattern.find("\\:")));
      std::erase(pattern, '\\');
      while (pattern.ends_with(' ')) pattern.pop_back();
      if (!pattern.empty()) explained.insert(pattern);
    }
  }
  const std::string text = sources();
  for (const std::string& kind : explained) EXPECT_NE(text.find("\"" + kind), text.npos) << kind << " is never said";
  const std::regex thrown{R"(failed\(\s*"([^"]+)\")"};
  std::size_t found = 0;
  for (std::sregex_iterator at{text.begin(), text.end(), thrown}, end; at != end; ++at, ++found)
    EXPECT_TRUE(explained.contains((*at)[1])) << (*at)[1] << " is in no manual";
  EXPECT_GE(found, 20U);
}

// ---- weights ----------------------------------------------------------------------------------------------------

TEST(Manual, KeysOfTheWeightsFile) {
  const ManualPage page = ManualPage::of_name("fairfs-weights.5");
  Names top = page.explained("DESCRIPTION", "Ic");
  EXPECT_EQ(top.erase("[[rule]]"), 1U);
  top.insert("rule");
  EXPECT_THAT(top, ContainerEq(file_keys()));
  Names keys = page.explained("Whom a rule is for", "Ic");
  keys.merge(page.explained("What they get", "Ic"));
  EXPECT_THAT(keys, ContainerEq(rule_keys()));
}

TEST(Manual, ExampleOfTheWeightsFile) {
  std::ifstream file{FAIRFS_SOURCE_DIR "/cli/manual/fairfs-weights.5"};
  std::string text{std::istreambuf_iterator<char>{file}, {}};
  text = text.substr(text.find(".Bd -literal\n") + 13);
  text = text.substr(0, text.find(".Ed"));
  for (auto at = text.find("\"backup\""); at != text.npos; at = text.find("\"backup\""))
    text.replace(at, 8, "\"root\"");
  EXPECT_EQ(cli::parse_weights(text, "the manual").rules.size(), 3U);
}

// ---- fairfs-stat ------------------------------------------------------------------------------------------------

const ManualPage& stat_page() {
  static const ManualPage page = ManualPage::of_name("fairfs-stat.1");
  return page;
}

TEST(Manual, OptionsOfFairfsStat) {
  const Names names = names_of(cli::stat_option_names());
  EXPECT_THAT(explained_by_help(cli::stat_help(), "On a terminal"), ContainerEq(names));
  EXPECT_THAT(stat_page().explained("OPTIONS", "Fl"), ContainerEq(names));
}

TEST(Manual, HelpOfSetNamesTheKeysOfRules) {
  const std::string help = cli::stat_help();
  const std::string set = help.substr(help.find("WHOM: cgroup"), help.find("  --unset") - help.find("WHOM: cgroup"));
  for (const std::string& key : rule_keys()) {
    EXPECT_TRUE(key == "gid" || set.find(key) != set.npos) << key;  // gid says the same as group
  }
}

TEST(Manual, ConditionsOfTrace) {
  EXPECT_THAT(stat_page().explained("TRACE", "Cm"), ContainerEq(trace_conditions()));
  for (const std::string& name : trace_conditions()) {
    cli::TraceFilter filter;
    const std::string line = failure_of([&] { cli::add_condition(filter, name + "=?"); }).second;
    EXPECT_EQ(line.find("why= or longer="), line.npos) << "it isn't known: " << line;
  }
}

TEST(Manual, FieldsOfTrace) {
  EXPECT_THAT(stat_page().explained("TRACE", "Va"),
              ContainerEq(keys_of(nlohmann::json::parse(cli::to_trace_json({}, 1)))));
}

TEST(Manual, FieldsOfJsonAndCsv) {
  cli::IntervalView view;
  view.groups.emplace_back();
  view.flows.emplace_back();
  const auto line = nlohmann::json::parse(cli::to_json_line(view));
  EXPECT_THAT(stat_page().explained("A line", "Va"), ContainerEq(keys_of(line)));
  EXPECT_THAT(stat_page().explained("A group", "Va"), ContainerEq(keys_of(line["groups"][0])));
  EXPECT_THAT(stat_page().explained("A flow", "Va"), ContainerEq(keys_of(line["flows"][0])));
  Names csv = list_behind("heading " + cli::csv_heading(), "heading ");
  csv.erase("\r\n");
  Names expected = keys_of(line["flows"][0]);
  expected.insert({"time", "mountpoint", "interval_s", "device_use"});
  EXPECT_EQ(csv.size(), expected.size());
}

TEST(Manual, SchemaOfJson) {
  std::ifstream file{FAIRFS_SOURCE_DIR "/cli/fairfs-stat.schema.json"};
  const auto schema = nlohmann::json::parse(file);
  const auto line = nlohmann::json::parse(cli::to_json_line({}));
  EXPECT_THAT(keys_of(schema["properties"]), ContainerEq(keys_of(line)));
  EXPECT_THAT(schema["required"].get<Names>(), ContainerEq(keys_of(line)));
}

TEST(Manual, Metrics) {
  cli::StatReply reply;
  reply.readings.emplace_back();
  std::istringstream text{cli::to_openmetrics(std::array<const cli::StatReply*, 1>{&reply})};
  Names names;
  for (std::string line; std::getline(text, line);) {
    std::istringstream words{line};
    std::string hash, keyword, name;
    if (words >> hash >> keyword >> name && keyword == "TYPE") names.insert(name);
  }
  EXPECT_GE(names.size(), 30U);
  EXPECT_THAT(stat_page().explained("METRICS", "Va"), ContainerEq(names));
}

TEST(Manual, KeysAndColumnsOfTheLiveView) {
  Names keys;
  for (const cli::LiveKeyHelp& key : cli::live_keys()) {
    std::istringstream words{std::string{key.keys}};
    for (std::string word; words >> word;) keys.insert(word);
  }
  EXPECT_THAT(stat_page().explained("LIVE VIEW", "Li"), ContainerEq(keys));
  Names headings;
  for (const cli::LiveColumn& column : cli::live_columns()) {
    std::istringstream words{std::string{column.heading}};
    for (std::string word; words >> word;) headings.insert(word);
  }
  EXPECT_THAT(stat_page().explained("Columns", "Sy"), ContainerEq(headings));
}

// ---- in running text --------------------------------------------------------------------------------------------

TEST(Manual, NothingThatDoesNotExistIsMentioned) {
  Names options = names_of(cli::option_names()), keys = mount_options();
  options.merge(names_of(cli::stat_option_names()));
  options.merge(Names{"-t", "-s", "-n", "-v", "--path"});  // of mount(8), and of systemd-escape(1)
  keys.merge(rule_keys());
  keys.merge(file_keys());
  for (const char* name : {"fairfs.8", "fairfs-stat.1", "fairfs-weights.5"}) {
    const ManualPage page = ManualPage::of_name(name);
    EXPECT_THAT(page.mentioned("Fl"), IsSubsetOf(options)) << name;
    EXPECT_THAT(page.mentioned("Ic"), IsSubsetOf(keys)) << name;
  }
}

}  // namespace
}  // namespace fairfs::test
