// What the shells offer is what the programs take, both ways. The scripts run in their shells: bash as when somebody
// presses Tab, zsh with its completion functions replaced by ones that say what they were given.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <sstream>

#include "cli/options.h"
#include "cli/stat_options.h"
#include "tests/cli/parser_names.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using testing::ContainerEq;
using testing::IsSupersetOf;

const std::string kFolder = FAIRFS_SOURCE_DIR "/cli/completion/";

std::vector<std::string> lines_of(const TemporaryDirectory& folder, const std::string& shell,
                                  const std::string& script) {
  const std::string file = folder.write("script", script);
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen((shell + " " + file + " 2>&1").c_str(), "r"), pclose};
  std::string text;
  for (int letter = 0; (letter = std::fgetc(pipe.get())) != EOF;) text += static_cast<char>(letter);
  std::vector<std::string> lines;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool there_is(const std::string& shell) { return std::system(("command -v " + shell + " > /dev/null").c_str()) == 0; }

class Completion : public testing::Test {
 protected:
  /// What bash would put in place of the last word of `line`. `breaks`: COMP_WORDBREAKS.
  Names bash(const std::string& line, const std::string& breaks = " =:") const {
    const bool is_stat = line.starts_with("fairfs-stat");
    const auto lines = lines_of(folder_, "bash --norc",
                                "cd " + folder_.path() + "\n. " + kFolder + "fairfs.bash\nCOMP_WORDBREAKS='" + breaks +
                                    "'\nCOMP_LINE='" + line + "' COMP_POINT=${#COMP_LINE}\n" +
                                    (is_stat ? "_fairfs_stat" : "_fairfs") + "\nprintf '%s\\n' \"${COMPREPLY[@]}\"\n");
    Names names{lines.begin(), lines.end()};
    names.erase("");
    return names;
  }

  /// The specifications that the zsh script `file` gives to `function` when `called` is called.
  std::vector<std::string> zsh(const std::string& file, const std::string& function, const std::string& called,
                               const std::string& words = "") const {
    return lines_of(folder_, "zsh -f",
                    "_arguments() { : }; _values() { : }; compadd() { : }; _files() { : }; words=(" + words + ")\n. " +
                        kFolder + file + "\n" + function + "() { printf '%s\\n' \"$@\" }\n" + called + "\n");
  }

  const TemporaryDirectory folder_;
};

/// With an = behind those that take a value, as bash offers them; "x-*" stands for any word.
Names offered_mount_options() {
  Names names;
  for (const std::string& name : mount_options()) {
    if (name == "x-*") continue;
    bool has_value = false;
    try {
      (void)cli::parse_options(std::array{"/a", "/b", "-o", name.c_str()});
    } catch (const std::exception&) {
      has_value = true;
    }
    names.insert(has_value ? name + "=" : name);
  }
  return names;
}

Names with_equals(const Names& names) {
  Names result;
  for (const std::string& name : names) result.insert(name + "=");
  return result;
}

TEST_F(Completion, BashOptions) {
  EXPECT_THAT(bash("fairfs -"), ContainerEq(names_of(cli::option_names())));
  EXPECT_THAT(bash("fairfs-stat -"), ContainerEq(names_of(cli::stat_option_names())));
  EXPECT_THAT(bash("fairfs --fo"), ContainerEq(Names{"--foreground"}));
}

TEST_F(Completion, BashMountOptions) {
  EXPECT_THAT(bash("fairfs /a /b -o "), ContainerEq(offered_mount_options()));
  EXPECT_THAT(bash("fairfs --options gr"), ContainerEq(Names{"grouping=", "group"}));
  EXPECT_THAT(bash("fairfs -o ro,depth=4,gr"), ContainerEq(Names{"4,grouping=", "4,group"}))
      << "bash replaces what is behind the last =";
  EXPECT_THAT(bash("fairfs -o ro,depth=4,gr", " "), ContainerEq(Names{"ro,depth=4,grouping=", "ro,depth=4,group"}));
}

TEST_F(Completion, BashValues) {
  std::size_t chosen = 0;
  for (const std::string& name : mount_options()) {
    const Names values = values_of(name);
    if (values.empty()) continue;
    EXPECT_THAT(bash("fairfs -o noatime," + name + "="), ContainerEq(values));
    ++chosen;
  }
  EXPECT_GE(chosen, 5U);
  folder_.write("weights.toml", "");
  EXPECT_THAT(bash("fairfs -o weights=we"), ContainerEq(Names{"weights.toml"}));
  EXPECT_THAT(bash("fairfs --check-config we"), ContainerEq(Names{"weights.toml"}));
  EXPECT_THAT(bash("fairfs -o probe="), ContainerEq(Names{"auto", "run", "off", "weights.toml", "script"}));
  EXPECT_THAT(bash("fairfs -o stat_access=group:roo"), ContainerEq(Names{"root"}));
  EXPECT_THAT(bash("fairfs -o stat_access="), ContainerEq(Names{"owner", "all", "group:"}));
}

TEST_F(Completion, BashWordsOfFairfsStat) {
  Names whom = list_behind("cgroup=, command=, exe=, user=, group=, gid=, pid=, flow=", "");
  EXPECT_THAT(bash("fairfs-stat --set "), ContainerEq(whom));
  Names get = with_equals(rule_keys());
  for (const std::string& word : whom) get.erase(word);
  get.insert("flow=");  // both
  EXPECT_THAT(bash("fairfs-stat --set user=root "), ContainerEq(get));
  EXPECT_THAT(bash("fairfs-stat --trace "), ContainerEq(with_equals(trace_conditions())));
  EXPECT_THAT(bash("fairfs-stat --trace op=r"), ContainerEq(Names{"read"}));
  EXPECT_THAT(bash("fairfs-stat --set user=roo"), ContainerEq(Names{"root"}));
  EXPECT_THAT(bash("fairfs-stat --set command=x class=i"), ContainerEq(Names{"idle"}));
  whom.insert("all");
  EXPECT_THAT(bash("fairfs-stat --unset "), ContainerEq(whom));
  EXPECT_THAT(bash("fairfs-stat --explain "), IsSupersetOf({std::string{"1"}}));
}

/// Specifications of _arguments: "(- *)-h[...]", "*--options[...]:...": the names before the bracket.
Names names_in(const std::vector<std::string>& specifications) {
  Names names;
  for (std::string spec : specifications) {
    if (spec.starts_with('(')) spec.erase(0, spec.find(')') + 1);
    if (spec.starts_with('*')) spec.erase(0, 1);
    if (spec.starts_with('-') && spec.find('[') != spec.npos) names.insert(spec.substr(0, spec.find('[')));
  }
  return names;
}

TEST_F(Completion, ZshOptions) {
  if (!there_is("zsh")) GTEST_SKIP() << "there is no zsh";
  EXPECT_THAT(names_in(zsh("_fairfs", "_arguments", "_fairfs")), ContainerEq(names_of(cli::option_names())));
  EXPECT_THAT(names_in(zsh("_fairfs-stat", "_arguments", "_fairfs_stat")),
              ContainerEq(names_of(cli::stat_option_names())));
}

/// Specifications of _values behind the description `title`: name[...]:message:(values). With an = where they take one.
Names values_in(const std::vector<std::string>& specifications, const std::string& title) {
  Names names;
  const auto start = std::find(specifications.begin(), specifications.end(), title);
  for (auto spec = start; spec != specifications.end(); ++spec) {
    if (spec == start) continue;
    const std::string name = spec->substr(0, spec->find_first_of("[:"));
    const auto bracket = spec->find(']');
    const bool has_value = bracket != spec->npos ? spec->size() > bracket + 1 : spec->find(':') != spec->npos;
    names.insert(has_value ? name + "=" : name);
  }
  return names;
}

Names choices_of(const std::vector<std::string>& specifications, const std::string& name) {
  for (const std::string& spec : specifications) {
    if (!spec.starts_with(name + "[") || !spec.ends_with(')')) continue;
    const std::string list = spec.substr(spec.rfind('(') + 1);
    return list_behind(list.substr(0, list.size() - 1), "");
  }
  return {};
}

TEST_F(Completion, ZshMountOptions) {
  if (!there_is("zsh")) GTEST_SKIP() << "there is no zsh";
  const auto specifications = zsh("_fairfs", "_values", "_fairfs_mount_options");
  EXPECT_THAT(values_in(specifications, "mount option"), ContainerEq(offered_mount_options()));
  for (const std::string& name : mount_options()) {
    if (const Names values = values_of(name); !values.empty()) {
      EXPECT_THAT(choices_of(specifications, name), ContainerEq(values)) << name;
    }
  }
}

TEST_F(Completion, ZshWordsOfFairfsStat) {
  if (!there_is("zsh")) GTEST_SKIP() << "there is no zsh";
  const Names whom = values_in(zsh("_fairfs-stat", "_values", "_fairfs_whom"), "whom");
  Names all = whom, keys = with_equals(rule_keys());
  all.merge(values_in(zsh("_fairfs-stat", "_values", "_fairfs_words", "--set"), "what they get"));
  EXPECT_THAT(all, ContainerEq(keys));
  EXPECT_THAT(whom, ContainerEq(bash("fairfs-stat --set ")));
  EXPECT_THAT(values_in(zsh("_fairfs-stat", "_values", "_fairfs_words", "--trace"), "condition"),
              ContainerEq(with_equals(trace_conditions())));
}

}  // namespace
}  // namespace fairfs::test
