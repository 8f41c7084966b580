// The programs themselves, as far as they need not mount: exit status, and exactly one line.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <regex>
#include <vector>

#include "cli/unique_fd.h"
#include "tests/cli/manual_page.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

struct Result {
  int status = -1;
  std::string output, errors;
};

std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (ssize_t count = 0; (count = read(descriptor, buffer.data(), buffer.size())) > 0;) {
    text.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return text;
}

class Programs : public testing::Test {
 protected:
  void SetUp() override {
    // Beside this test in the build: tests/ here, bin/ there.
    const char* const given = std::getenv("FAIRFS");
    const auto built = std::filesystem::read_symlink("/proc/self/exe").parent_path().parent_path() / "bin/fairfs";
    program_ = given != nullptr ? given : built.string();
    if (access(program_.c_str(), X_OK) != 0) GTEST_SKIP() << program_ << " is not built";
  }

  /// What it writes fits a pipe: nobody needs to read while it runs.
  Result run(std::vector<std::string> words, bool without_descriptors = false, const char* suffix = "",
             const char* output = nullptr) {
    std::array<int, 2> out{}, err{};
    if (pipe2(out.data(), O_CLOEXEC) != 0 || pipe2(err.data(), O_CLOEXEC) != 0) return {};
    const cli::UniqueFd out_read{out[0]}, err_read{err[0]};
    cli::UniqueFd out_write{out[1]}, err_write{err[1]};
    const std::string program = program_ + suffix;
    std::vector<char*> arguments{const_cast<char*>(program.c_str())};
    for (auto& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    const pid_t child = fork();
    if (child == 0) {
      dup2(out_write.get(), 1);
      dup2(err_write.get(), 2);
      if (output != nullptr) dup2(open(output, O_WRONLY | O_CLOEXEC), 1);
      if (without_descriptors) {
        for (int standard = 0; standard <= 2; ++standard) close(standard);
      }
      execv(program.c_str(), arguments.data());
      _exit(127);
    }
    out_write.reset();
    err_write.reset();
    Result result;
    result.output = read_all(out_read.get());
    result.errors = read_all(err_read.get());
    int status = 0;
    if (waitpid(child, &status, 0) == child && WIFEXITED(status)) result.status = WEXITSTATUS(status);
    return result;
  }

  void expect_failure(const Result& result, int status, const std::string& line) {
    EXPECT_EQ(result.status, status);
    EXPECT_EQ(result.output, "");
    EXPECT_EQ(result.errors, line + "\n");
  }

  TemporaryDirectory folder;
  std::string program_;
};

TEST_F(Programs, HelpAndVersion) {
  const Result help = run({"--help"});
  EXPECT_EQ(help.status, 0);
  EXPECT_TRUE(help.output.starts_with("Usage: fairfs SOURCE MOUNTPOINT")) << help.output;
  EXPECT_EQ(help.errors, "");
  const Result version = run({"-V"});
  EXPECT_EQ(version.status, 0);
  EXPECT_EQ(version.output, "fairfs " FAIRFS_VERSION "\n");
  EXPECT_EQ(run({"-V"}, false, "-stat").output, "fairfs-stat " FAIRFS_VERSION "\n");
}

TEST_F(Programs, AFullOutputIsAFailure) {
  const std::string good = folder.write("good.toml", "");
  const auto to_full = [this](std::vector<std::string> words, const char* suffix) {
    return run(std::move(words), false, suffix, "/dev/full");
  };
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"--version"}, {"--check-config", good}}) {
    expect_failure(to_full(words, ""), 1, "fairfs: can't write to standard output; look where it leads");
  }
  for (const std::string word : {"--help", "--version"}) {
    expect_failure(to_full({word}, "-stat"), 1, "fairfs-stat: can't write to standard output; look where it leads");
  }
}

TEST_F(Programs, WhatIsNoRecording) {
  const auto replayed = [this](const std::string& path) { return run({"--replay", path, "--json"}, false, "-stat"); };
  expect_failure(replayed(folder.path()), 1,
                 "fairfs-stat: replay: " + folder.path() + ": Is a directory; name a file that --record wrote");
  expect_failure(replayed("/dev/zero"), 1,
                 "fairfs-stat: replay: /dev/zero: a line of it never ends; name a file that --record wrote");
  for (const char* nothing : {"", "{}"}) {
    const Result result = replayed(folder.write("recording", nothing));
    EXPECT_EQ(result.status, 1) << nothing;
    EXPECT_EQ(result.output, "");
    EXPECT_TRUE(result.errors.starts_with("fairfs-stat: replay: " + folder.path("recording"))) << result.errors;
  }
}

TEST_F(Programs, WrongUsageIsStatusTwo) {
  expect_failure(run({}), 2, "fairfs: SOURCE and MOUNTPOINT are missing; see fairfs --help");
  expect_failure(run({"/a", "/b", "-o", "nonsense"}), 2, "fairfs: option 'nonsense' is not known; see fairfs --help");
  expect_failure(run({"--nonsense"}, false, "-stat"), 2,
                 "fairfs-stat: unrecognised option '--nonsense'; see fairfs-stat --help");
}

TEST_F(Programs, EachFailureIsOneLineInTheBackgroundAndTheForeground) {
  const std::string here = folder.path(), missing = folder.path("no"), bad = folder.write("w.toml", "x = 1\n");
  for (const std::string mode : {"-oro", "-f"}) {
    expect_failure(run({missing, here, mode}), 1,
                   "fairfs: source: " + missing + ": No such file or directory; name a directory that exists");
    expect_failure(
        run({here, missing, mode}), 1,
        "fairfs: mountpoint: " + missing + ": No such file or directory; name a directory that exists, or create it");
    expect_failure(run({here, here, mode, "-o", "weights=" + missing}), 1,
                   "fairfs: weights: " + missing +
                       ": No such file or directory; name a file that can be read, or leave weights out");
    expect_failure(run({here, here, mode, "-o", "weights=" + bad}), 1,
                   "fairfs: " + bad + ":1:1: key 'x' is not known; allowed are default_weight, rule");
    expect_failure(run({here, here, mode, "-o", "probe=" + missing}), 1,
                   "fairfs: probe: " + missing +
                       ": No such file or directory; name a file with a disk profile, or write probe=off");
    expect_failure(run({here, here, mode, "-o", "log_file=" + missing + "/f"}), 1,
                   "fairfs: log file: " + missing +
                       "/f: No such file or directory; name a file that can be written, or leave log_file out");
  }
}

/// Each of `lines` has a form that the page's DIAGNOSTICS say, and status 2 if it is of wrong usage; the forms that
/// none has.
Names forms_unheard(const std::string& page, const std::vector<Result>& said, const std::string& program) {
  const auto patterns = ManualPage::of_name(page).patterns("DIAGNOSTICS");
  Names unheard{patterns.begin(), patterns.end()};
  EXPECT_GE(patterns.size(), 10U);
  for (const Result& result : said) {
    EXPECT_TRUE(result.errors.starts_with(program + ": ") && result.errors.ends_with("\n")) << result.errors;
    const std::string line = result.errors.substr(program.size() + 2, result.errors.size() - program.size() - 3);
    const bool is_misuse = line.ends_with("; see " + program + " --help");
    EXPECT_EQ(result.status, is_misuse ? 2 : 1) << line;
    std::size_t forms = 0;
    for (const std::string& pattern : patterns) {
      // A reason goes on behind what the form says.
      if (!std::regex_match(line, std::regex{pattern})) continue;
      unheard.erase(pattern);
      ++forms;
    }
    EXPECT_GT(forms, 0U) << line;
  }
  return unheard;
}

TEST_F(Programs, FailuresAreThoseOfTheManual) {
  const std::string here = folder.path(), no = folder.path("no"), bad = folder.write("w.toml", "x = 1\n");
  std::vector<Result> said{run({}), run({no, here}), run({here, no}), run({"--help"}, false, "", "/dev/full")};
  for (const std::string& option :
       {"weights=" + no, "weights=" + bad, "probe=" + no, "log_file=" + no + "/f", "metrics=unix:" + no + "/f"}) {
    said.push_back(run({here, here, "-o", option + (option.starts_with("probe") ? "" : ",probe=off")}));
  }
  // What a test would have to break the machine for; Manual.KindsOfFailure looks for these in the sources.
  EXPECT_EQ(forms_unheard("fairfs.8", said, "fairfs").size(), 5U) << "mount, /dev/fuse, descriptors, threads, memory";
  said = {run({"--nonsense"}, false, "-stat"), run({here}, false, "-stat"), run({no + "/below/it"}, false, "-stat"),
          run({"--replay", no}, false, "-stat"), run({"--help"}, false, "-stat", "/dev/full")};
  EXPECT_LE(forms_unheard("fairfs-stat.1", said, "fairfs-stat").size(), 6U)
      << "explain, set, unset, reload, record and the live view take a daemon";
}

TEST_F(Programs, CheckConfig) {
  const std::string good = folder.write("good.toml", "[[rule]]\nuser = 0\nweight = 3\n");
  const Result result = run({"--check-config", good});
  EXPECT_EQ(result.status, 0);
  EXPECT_EQ(result.output, good + ": ok, 1 rules\n");
  const std::string doubtful = folder.write("doubtful.toml", "[[rule]]\ncommand = \"rsync\"\nweight = 3\n");
  const Result doubt = run({"--check-config", doubtful});
  EXPECT_EQ(doubt.status, 0);
  EXPECT_EQ(doubt.output, doubtful + ": ok, 1 rules\n" + doubtful +
                              ":1: any user may call a program 'rsync': add user or exe to the rule\n");
  const std::string bad = folder.write("bad.toml", "[[rule]]\nuser = 0\nweight = 0\n");
  expect_failure(run({"--check-config", bad}), 1,
                 "fairfs: " + bad + ":3:10: weight = 0 is out of range; allowed is a whole number from 1 to 10000");
}

TEST_F(Programs, CheckingAFileThatIsMissingAdvisesNoMount) {
  const std::string missing = folder.path("missing.toml");
  expect_failure(run({"--check-config", missing}), 1,
                 "fairfs: weights: " + missing + ": No such file or directory; name a file that can be read");
}

TEST_F(Programs, ClosedDescriptorsAreNoFailure) {
  const std::string good = folder.write("good.toml", "");
  EXPECT_EQ(run({"--check-config", good}, true).status, 0);
  EXPECT_EQ(run({folder.path("no"), "/"}, true).status, 1);
}

TEST_F(Programs, StatNamesAPathThatIsNoMount) {
  expect_failure(run({folder.path()}, false, "-stat"), 1,
                 "fairfs-stat: stat: " + folder.path() +
                     ": no fairfs of yours is mounted here; name the mountpoint of a running fairfs");
}

}  // namespace
}  // namespace fairfs::test
