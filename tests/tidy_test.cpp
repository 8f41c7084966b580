// Keeps the house in order: who may include whom, which library may be named where, how long files and lines are.
// Each rule is a function from text to problems, shown to bite on made-up input before it is let loose on the tree.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace fairfs::test {
namespace {

using Problems = std::vector<std::string>;
using Names = std::set<std::string, std::less<>>;

constexpr std::size_t kFileLinesMax = 200;  // a file is one noun; beyond this it is two
constexpr std::size_t kFileLinesMean = 120;
constexpr std::size_t kColumnsMax = 120;  // .clang-format's ColumnLimit

// Words that may stand nowhere, hence in pieces here.
const std::string kLater = std::string{"TO"} + "DO", kBroken = std::string{"FIX"} + "ME";
const std::string kUnclear = std::string{"XX"} + "X", kSleep = std::string{"sle"} + "ep";

/// A file of the repository: its path from the root and what is in it.
struct Source {
  std::string path, text;
};

bool ends_with_any(std::string_view path, std::initializer_list<std::string_view> endings) {
  return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return path.ends_with(ending); });
}
bool is_cpp(std::string_view path) { return ends_with_any(path, {".h", ".cc", ".cpp"}); }
bool is_header(std::string_view path) { return path.ends_with(".h"); }
bool is_code(std::string_view path) { return is_cpp(path) || ends_with_any(path, {".sh", ".py", "CMakeLists.txt"}); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream{text};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

/// The layer a path belongs to: its first folder, except that the engine is a layer of its own inside sched.
std::string layer_of(std::string_view path) {
  if (path.starts_with("sched/engine/")) return "sched/engine";
  const auto slash = path.find('/');
  return std::string{slash == path.npos ? std::string_view{} : path.substr(0, slash)};
}

/// As layer_of, but a test counts as a part of what it tests: tests/cli may name the libraries of cli.
std::string tested_layer_of(std::string_view path) {
  if (path.starts_with("tests/engine/")) return "sched/engine";
  return layer_of(path.starts_with("tests/") ? path.substr(6) : path);
}

/// Every line matching `pattern`, as "path:line: what".
Problems lines_matching(const Source& source, const std::regex& pattern, const std::string& what) {
  Problems problems;
  const auto lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i)
    if (std::regex_search(lines[i], pattern))
      problems.push_back(source.path + ":" + std::to_string(i + 1) + ": " + what);
  return problems;
}

// ---- rules -----------------------------------------------------------------------------------------------------

Problems top_level(const std::vector<std::string>& paths) {
  const Names allowed{"CMakeLists.txt", "fs", "sched", "probe", "cli", "tests", "examples", "README.md", "LICENSE"};
  Names strangers;
  for (const std::string& path : paths) {
    const std::string name = path.substr(0, path.find('/'));
    if (!name.starts_with('.') && !allowed.contains(name)) strangers.insert(name);
  }
  Problems problems;
  for (const std::string& name : strangers) problems.push_back(name + ": doesn't belong at the top level");
  return problems;
}

/// Includes of our own headers: from the root, and only downwards in the layers.
Problems own_includes(const Source& source) {
  static const std::map<std::string, Names> may_include{
      {"sched", {"sched"}},
      {"sched/engine", {"sched", "sched/engine"}},
      {"probe", {"sched", "sched/engine", "probe"}},
      {"fs", {"sched", "sched/engine", "fs"}},
      {"cli", {"sched", "sched/engine", "probe", "fs", "cli"}},
      {"tests", {"sched", "sched/engine", "probe", "fs", "cli", "tests"}},
      {"examples", {"sched"}},
  };
  static const std::regex include{R"(^\s*#\s*include\s*"([^"]*)\")"};
  Problems problems;
  const auto allowed = may_include.find(layer_of(source.path));
  for (const std::string& line : lines_of(source.text)) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string target = match[1];
    if (allowed == may_include.end() || !allowed->second.contains(layer_of(target)))
      problems.push_back(source.path + ": may not include \"" + target + "\"");
  }
  return problems;
}

/// The outside library a header belongs to; empty for the C++ and C libraries and the system.
std::string library_of(const std::string& header) {
  static const std::vector<std::pair<std::regex, std::string>> libraries{
      {std::regex{"^(fuse|linux/fuse)"}, "libfuse3"},
      {std::regex{"^libaio"}, "libaio"},
      {std::regex{"^spdlog/"}, "spdlog"},
      {std::regex{"^toml"}, "toml++"},
      {std::regex{"^nlohmann/"}, "nlohmann-json"},
      {std::regex{"^boost/"}, "Boost"},
      {std::regex{"^(n?curses|menu|panel)"}, "ncurses"},
      {std::regex{"^(gtest|gmock)/"}, "GoogleTest"},
      {std::regex{"^benchmark/"}, "Google Benchmark"},
  };
  for (const auto& [pattern, name] : libraries)
    if (std::regex_search(header, pattern)) return name;
  static const std::regex system{"^[a-z0-9_]+(\\.h)?$|^(sys|linux|asm|arpa|netinet)/"};
  return std::regex_search(header, system) ? "" : "unknown library of <" + header + ">";
}

/// Each outside library has its layers; the pure core has nothing but the timeless part of the standard library
/// (<cstdio> for the last words of a failed check).
Problems outside_includes(const Source& source) {
  static const std::map<std::string, Names> layers_of_library{
      {"libfuse3", {"fs", "diskemu"}},
      // fs: a request fills in its own control block (Job::prepare).
      {"libaio", {"sched/engine", "probe", "fs", "diskemu"}},
      {"spdlog", {"sched/engine", "probe", "fs", "cli", "diskemu"}},
      {"toml++", {"cli"}},
      {"nlohmann-json", {"cli"}},
      {"Boost", {"cli"}},
      {"ncurses", {"cli"}},
  };
  static const Names impure{
      "thread",     "mutex",   "shared_mutex", "condition_variable", "semaphore", "latch",   "future",       "barrier",
      "stop_token", "fstream", "iostream",     "filesystem",         "ctime",     "csignal", "random_device"};
  static const std::regex include{R"(^\s*#\s*include\s*<([^>]*)>)"};
  Problems problems;
  for (const std::string& line : lines_of(source.text)) {
    std::smatch match;
    if (!std::regex_search(line, match, include)) continue;
    const std::string header = match[1], library = library_of(header);
    const auto layers = layers_of_library.find(library);
    bool allowed = library.empty();
    if (layers != layers_of_library.end()) allowed = layers->second.contains(tested_layer_of(source.path));
    if (library == "GoogleTest" || library == "Google Benchmark") allowed = source.path.starts_with("tests/");
    // The standard library's headers are the ones without an ending; all others are the system's.
    if (layer_of(source.path) == "sched" && (header.find('.') != header.npos || impure.contains(header)))
      allowed = false;
    if (!allowed) problems.push_back(source.path + ": may not include <" + header + ">");
  }
  return problems;
}

/// Time is an argument in the core: durations are welcome there, clocks are not.
Problems clocks(const Source& source) {
  if (layer_of(source.path) != "sched") return {};
  return lines_matching(source, std::regex{R"(^(?!\s*//).*_clock::now)"}, "the core reads no clock");
}

Problems line_budget(const std::vector<Source>& sources) {
  Problems problems;
  std::size_t files = 0, total = 0;
  for (const Source& source : sources) {
    if (!is_cpp(source.path) || source.path.starts_with("tests/")) continue;
    const std::size_t count = lines_of(source.text).size();
    ++files;
    total += count;
    if (count > kFileLinesMax) problems.push_back(source.path + ": " + std::to_string(count) + " lines");
  }
  if (files > 0 && total > kFileLinesMean * files)
    problems.push_back("product files have " + std::to_string(total / files) + " lines on average");
  return problems;
}

Problems long_lines(const Source& source) {
  Problems problems;
  const auto lines = lines_of(source.text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // A UTF-8 character is one column: continuation bytes are 10xxxxxx.
    const auto columns = std::count_if(lines[i].begin(), lines[i].end(),
                                       [](char c) { return (static_cast<unsigned>(c) & 0xC0) != 0x80; });
    if (static_cast<std::size_t>(columns) > kColumnsMax)
      problems.push_back(source.path + ":" + std::to_string(i + 1) + ": " + std::to_string(columns) + " columns");
  }
  return problems;
}

Problems header_form(const Source& source) {
  if (!is_header(source.path)) return {};
  Problems problems;
  if (!source.text.starts_with("//") && !source.text.starts_with("/*"))
    problems.push_back(source.path + ": doesn't begin by saying what it is");
  if (source.text.find("#pragma once\n") == source.text.npos) problems.push_back(source.path + ": no #pragma once");
  const Problems opened = lines_matching(source, std::regex{R"(^\s*using\s+namespace\b)"}, "opens a namespace");
  problems.insert(problems.end(), opened.begin(), opened.end());
  return problems;
}

Problems unfinished(const Source& source) {
  static const std::regex words{"\\b(" + kLater + "|" + kBroken + "|" + kUnclear + ")\\b"};
  return lines_matching(source, words, "unfinished work");
}

/// A test that sleeps is slow on a fast machine and wrong on a slow one.
Problems sleeps(const Source& source) {
  if (!source.path.starts_with("tests/") || !is_cpp(source.path)) return {};
  static const std::regex words{"\\b(" + kSleep + "_for|" + kSleep + "_until|(u|nano)?" + kSleep + "\\s*\\()"};
  return lines_matching(source, words, "sleeps");
}

// ---- the rules bite --------------------------------------------------------------------------------------------

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST(TidyRules, TopLevelRefusesStrangers) {
  EXPECT_THAT(top_level({"fs/session.cc", "README.md", ".ci/run", ".gitignore", "LICENSE"}), IsEmpty());
  EXPECT_THAT(top_level({"docs/a.md", "docs/b.md", "Makefile"}), ElementsAre(HasSubstr("Makefile"), HasSubstr("docs")));
}

TEST(TidyRules, IncludesGoDownwards) {
  EXPECT_THAT(own_includes({"fs/session.cc", "#include \"sched/engine/engine.h\"\n#include \"fs/session.h\"\n"}),
              IsEmpty());
  EXPECT_THAT(own_includes({"sched/scheduler.cc", "#include \"sched/engine/engine.h\"\n"}),
              ElementsAre("sched/scheduler.cc: may not include \"sched/engine/engine.h\""));
  EXPECT_THAT(own_includes({"sched/engine/engine.cc", "#include \"fs/session.h\"\n"}), testing::SizeIs(1));
  EXPECT_THAT(own_includes({"fs/session.cc", "#include \"cli/options.h\"\n"}), testing::SizeIs(1));
  EXPECT_THAT(own_includes({"cli/options.cc", "#include \"tests/mount/mount.h\"\n"}), testing::SizeIs(1));
  EXPECT_THAT(own_includes({"examples/embed.cpp", "#include \"sched/engine/engine.h\"\n"}), testing::SizeIs(1));
}

TEST(TidyRules, IncludesAreNamedFromTheRoot) {
  EXPECT_THAT(own_includes({"fs/session.cc", "#include \"session.h\"\n"}), testing::SizeIs(1));
  EXPECT_THAT(own_includes({"fs/session.cc", "#include \"../sched/types.h\"\n"}), testing::SizeIs(1));
}

TEST(TidyRules, TheCoreIsPure) {
  EXPECT_THAT(outside_includes({"sched/scheduler.cc", "#include <chrono>\n#include <vector>\n"}), IsEmpty());
  for (const char* header : {"thread", "mutex", "fstream", "unistd.h", "sys/types.h", "spdlog/spdlog.h", "libaio.h"})
    EXPECT_THAT(outside_includes({"sched/scheduler.cc", "#include <" + std::string{header} + ">\n"}),
                testing::SizeIs(1))
        << header;
  EXPECT_THAT(clocks({"sched/scheduler.cc", "auto t = std::chrono::steady_clock::now();\n"}), testing::SizeIs(1));
  EXPECT_THAT(clocks({"sched/scheduler.cc", "// never steady_clock::now()\n"}), IsEmpty());
  EXPECT_THAT(clocks({"sched/engine/clock.cc", "auto t = std::chrono::steady_clock::now();\n"}), IsEmpty());
}

TEST(TidyRules, EachLibraryHasItsLayers) {
  const auto problems_of = [](const std::string& path, const std::string& header) {
    return outside_includes({path, "#include <" + header + ">\n"});
  };
  EXPECT_THAT(problems_of("fs/session.cc", "fuse_lowlevel.h"), IsEmpty());
  EXPECT_THAT(problems_of("fs/session.cc", "fuse3/fuse_lowlevel.h"), IsEmpty());
  EXPECT_THAT(problems_of("tests/diskemu/device.cc", "fuse.h"), IsEmpty());
  EXPECT_THAT(problems_of("cli/options.cc", "fuse_lowlevel.h"), testing::SizeIs(1));
  EXPECT_THAT(problems_of("tests/mount/mount.cc", "fuse3/fuse.h"), testing::SizeIs(1));
  EXPECT_THAT(problems_of("sched/engine/disk.cc", "libaio.h"), IsEmpty());
  EXPECT_THAT(problems_of("cli/options.cc", "libaio.h"), testing::SizeIs(1));
  for (const char* header : {"toml++/toml.h", "nlohmann/json.hpp", "boost/program_options.hpp", "ncurses.h"}) {
    EXPECT_THAT(problems_of("cli/options.cc", header), IsEmpty()) << header;
    EXPECT_THAT(problems_of("tests/cli/options_test.cc", header), IsEmpty()) << header;
    EXPECT_THAT(problems_of("fs/session.cc", header), testing::SizeIs(1)) << header;
    EXPECT_THAT(problems_of("tests/fs/session_test.cc", header), testing::SizeIs(1)) << header;
  }
  EXPECT_THAT(problems_of("tests/bench/decision_bench.cc", "benchmark/benchmark.h"), IsEmpty());
  EXPECT_THAT(problems_of("cli/options.cc", "benchmark/benchmark.h"), testing::SizeIs(1));
  EXPECT_THAT(problems_of("fs/session.cc", "gtest/gtest.h"), testing::SizeIs(1));
  EXPECT_THAT(problems_of("cli/options.cc", "fmt/format.h"), testing::SizeIs(1)) << "a library nobody agreed to";
  EXPECT_THAT(problems_of("cli/options.cc", "sys/socket.h"), IsEmpty());
}

TEST(TidyRules, FilesAreShort) {
  const auto file_of = [](const std::string& path, std::size_t lines) {
    return Source{path, std::string(lines, '\n')};
  };
  EXPECT_THAT(line_budget({file_of("fs/a.cc", 200), file_of("fs/b.cc", 40)}), IsEmpty());
  EXPECT_THAT(line_budget({file_of("fs/a.cc", 201), file_of("fs/b.cc", 39)}), ElementsAre("fs/a.cc: 201 lines"));
  EXPECT_THAT(line_budget({file_of("fs/a.cc", 121)}), ElementsAre("product files have 121 lines on average"));
  EXPECT_THAT(line_budget({file_of("tests/fs/a_test.cc", 500)}), IsEmpty());
}

TEST(TidyRules, LinesAreShort) {
  EXPECT_THAT(long_lines({"a.sh", std::string(120, 'x') + "\n"}), IsEmpty());
  EXPECT_THAT(long_lines({"a.sh", "\n" + std::string(121, 'x') + "\n"}), ElementsAre("a.sh:2: 121 columns"));
  std::string umlauts;
  for (int i = 0; i < 120; ++i) umlauts += "ü";
  EXPECT_THAT(long_lines({"a.sh", umlauts}), IsEmpty()) << "columns, not bytes";
}

TEST(TidyRules, HeadersSayWhatTheyAre) {
  EXPECT_THAT(header_form({"fs/a.h", "// A thing.\n#pragma once\n"}), IsEmpty());
  EXPECT_THAT(header_form({"fs/a.h", "#pragma once\n// A thing.\n"}), testing::SizeIs(1));
  EXPECT_THAT(header_form({"fs/a.h", "// A thing.\n"}), testing::SizeIs(1));
  EXPECT_THAT(header_form({"fs/a.h", "// A thing.\n#pragma once\nusing namespace std;\n"}), testing::SizeIs(1));
  EXPECT_THAT(header_form({"fs/a.cc", "using namespace std::chrono_literals;\n"}), IsEmpty());
}

TEST(TidyRules, NothingIsLeftUnfinished) {
  EXPECT_THAT(unfinished({"a.cc", "// " + kLater + "LIST\n"}), IsEmpty()) << "a part of a word";
  EXPECT_THAT(unfinished({"a.cc", "// " + kLater + ": later\n"}), ElementsAre("a.cc:1: unfinished work"));
  EXPECT_THAT(unfinished({"a.sh", "# " + kBroken + "\n# " + kUnclear + "\n"}), testing::SizeIs(2));
}

TEST(TidyRules, TestsDoNotSleep) {
  const auto problems_of = [](const std::string& path, const std::string& text) { return sleeps({path, text}); };
  EXPECT_THAT(problems_of("tests/fs/a_test.cc", "std::this_thread::" + kSleep + "_for(1s);\n"), testing::SizeIs(1));
  EXPECT_THAT(problems_of("tests/fs/a_test.cc", "u" + kSleep + "(10);\n" + kSleep + " (1);\n"), testing::SizeIs(2));
  EXPECT_THAT(problems_of("tests/fs/a_test.cc", "a_sleeper.sleeps();\n"), IsEmpty());
  EXPECT_THAT(problems_of("fs/a.cc", "std::this_thread::" + kSleep + "_for(1s);\n"), IsEmpty());
}

// ---- the tree --------------------------------------------------------------------------------------------------

std::vector<std::string> walked_paths(const std::filesystem::path& root) {
  std::vector<std::string> paths;
  for (auto entry = std::filesystem::recursive_directory_iterator{root}; entry != decltype(entry){}; ++entry) {
    const std::string path = entry->path().lexically_relative(root).string();
    if (entry.depth() == 0 && (path.starts_with("build") || path.starts_with('.')))
      entry.disable_recursion_pending();
    else if (entry->is_regular_file())
      paths.push_back(path);
  }
  return paths;
}

/// What git knows or would add (so a build directory doesn't count); all files where there is no repository.
std::vector<std::string> tree_paths(const std::filesystem::path& root) {
  if (!std::filesystem::exists(root / ".git")) return walked_paths(root);
  // The tests may run as another user than the checkout's owner, hence safe.directory.
  const std::string command =
      "git -c safe.directory='*' -C '" + root.string() + "' ls-files --cached --others --exclude-standard";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe{popen(command.c_str(), "r"), pclose};
  if (!pipe) throw std::runtime_error{"cannot run " + command};
  std::string output;
  for (int c = 0; (c = std::fgetc(pipe.get())) != EOF;) output += static_cast<char>(c);
  std::vector<std::string> paths = lines_of(output);
  std::erase_if(paths, [&](const std::string& path) { return !std::filesystem::is_regular_file(root / path); });
  return paths;
}

std::vector<Source> tree() {
  const std::filesystem::path root{FAIRFS_SOURCE_DIR};
  std::vector<Source> sources;
  for (const std::string& path : tree_paths(root)) {
    std::ifstream file{root / path};
    sources.push_back({path, {std::istreambuf_iterator<char>{file}, {}}});
  }
  return sources;
}

class Tidy : public testing::Test {
 protected:
  static void SetUpTestSuite() { sources_ = tree(); }

  /// Expects that `rule` finds nothing in any file that `applies` chooses.
  template <typename Rule, typename Applies>
  void expect_clean(Rule rule, Applies applies) {
    for (const Source& source : sources_) {
      if (applies(source.path)) {
        EXPECT_THAT(rule(source), IsEmpty());
      }
    }
  }

  static inline std::vector<Source> sources_;
};

TEST_F(Tidy, TreeIsSeen) {
  EXPECT_GT(std::count_if(sources_.begin(), sources_.end(), [](const Source& source) { return is_cpp(source.path); }),
            10);
}
TEST_F(Tidy, TopLevel) {
  std::vector<std::string> paths;
  for (const Source& source : sources_) paths.push_back(source.path);
  EXPECT_THAT(top_level(paths), IsEmpty());
}
TEST_F(Tidy, OwnIncludes) { expect_clean(own_includes, is_cpp); }
TEST_F(Tidy, OutsideIncludes) { expect_clean(outside_includes, is_cpp); }
TEST_F(Tidy, Clocks) { expect_clean(clocks, is_cpp); }
TEST_F(Tidy, LineBudget) { EXPECT_THAT(line_budget(sources_), IsEmpty()); }
TEST_F(Tidy, LongLines) { expect_clean(long_lines, is_code); }
TEST_F(Tidy, HeaderForm) { expect_clean(header_form, is_header); }
TEST_F(Tidy, Unfinished) {
  expect_clean(unfinished, [](std::string_view) { return true; });
}
TEST_F(Tidy, Sleeps) { expect_clean(sleeps, is_cpp); }

}  // namespace
}  // namespace fairfs::test
