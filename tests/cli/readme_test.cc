// The tables of options in README.md and --help say the same, both ways.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <map>

#include "cli/options.h"
#include "cli/stat_options.h"
#include "tests/cli/parser_names.h"

namespace fairfs::test {
namespace {

using testing::ContainerEq;

std::string readme() {
  std::ifstream file{FAIRFS_SOURCE_DIR "/README.md"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// "a=x\\|y" and "--set WHOM": the name, and the values that can be chosen from.
std::pair<std::string, Names> entry(const std::string& word) {
  Names values;
  const auto equals = word.find('=');
  std::string value;
  for (std::size_t i = equals; i != word.npos && ++i <= word.size();) {
    if (i < word.size() && word[i] != '\\' && word[i] != '|') {
      value += word[i];
    } else {
      // FILE and group:NAME stand for something.
      if (value.find_first_of(":ABCDEFGHIJKLMNOPQRSTUVWXYZ") == value.npos && !value.empty()) values.insert(value);
      value.clear();
    }
  }
  return {word.substr(0, word.find_first_of("= [")), values.size() > 1 ? values : Names{}};
}

/// What stands in backquotes in the first cells of the table whose first heading is `heading`.
std::map<std::string, Names> table(const std::string& text, const std::string& heading) {
  std::map<std::string, Names> entries;
  const auto start = text.find("| `" + heading + "` |");
  if (start == text.npos) return entries;
  const std::string rows = text.substr(start, text.find("\n\n", start) - start);
  for (auto line = rows.find("\n| "); line != rows.npos; line = rows.find("\n| ", line + 1)) {
    const std::string cell = rows.substr(line + 3, rows.find(" | ", line + 3) - line - 3);
    for (auto open = cell.find('`'); open != cell.npos; open = cell.find('`', open + 1)) {
      const auto close = cell.find('`', open + 1);
      entries.insert(entry(cell.substr(open + 1, close - open - 1)));
      open = close;
    }
  }
  return entries;
}

Names names(const std::map<std::string, Names>& entries) {
  Names result;
  for (const auto& [name, values] : entries) result.insert(name);
  return result;
}

TEST(Readme, TheReadingOfTablesBites) {
  const std::string text =
      "| `x` | meaning |\n|---|---|\n| `a=on\\|off\\|FILE`, `-f` | `b` |\n| `--set WHOM` | |\n\n| `c` | |\n";
  const auto entries = table(text, "x");
  EXPECT_THAT(names(entries), ContainerEq(Names{"a", "-f", "--set"}));
  EXPECT_THAT(entries.at("a"), ContainerEq(Names{"on", "off"}));
  EXPECT_TRUE(entries.at("-f").empty());
}

TEST(Readme, MountOptions) {
  const auto entries = table(readme(), "-o");
  EXPECT_THAT(names(entries), ContainerEq(explained_by_help(cli::help(), "Mount options:")));
  std::size_t chosen = 0;
  for (const auto& [name, values] : entries) {
    const Names taken = values_of(name);
    if (taken.empty() || name == "log_level") continue;  // its levels are in the text beside it
    EXPECT_THAT(values, ContainerEq(taken)) << name;
    ++chosen;
  }
  EXPECT_GE(chosen, 4U);
}

TEST(Readme, OptionsOfThePrograms) {
  Names expected = explained_by_help(cli::help(), "Mirrors the directory");
  expected.erase("--json");  // is written with --probe-only
  EXPECT_THAT(names(table(readme(), "fairfs")), ContainerEq(expected));
  EXPECT_THAT(names(table(readme(), "fairfs-stat")), ContainerEq(explained_by_help(cli::stat_help(), "On a terminal")));
}

}  // namespace
}  // namespace fairfs::test
