// A running mount, steered from outside with fairfs-stat.
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "tests/mount/daemon.h"

namespace fairfs::test {
namespace {

class Steering : public DaemonTest {
 protected:
  std::string viewer() const { return program() + "-stat"; }
  Ended stat(std::vector<std::string> words) const {
    words.insert(words.begin(), {viewer(), (root() / "mount").string()});
    return run(words);
  }
  void write_rules(const std::string& text) const { write_file(root() / "w.toml", text); }
  Ended mount_with_rules() const { return mount("weights=" + (root() / "w.toml").string()); }
  /// The line that a failure of fairfs-stat has after the mountpoint.
  static std::string complaint(const Ended& ended) {
    EXPECT_EQ(ended.status, 1) << ended.output;
    return ended.output;
  }
};

TEST_F(Steering, SetsListsAndUndoes) {
  write_rules("[[rule]]\ncommand = \"rsync\"\nweight = 100\n");
  ASSERT_EQ(mount_with_rules().status, 0);
  EXPECT_EQ(stat({"--overrides"}).output, "nothing is set: the weights file alone counts\n");
  EXPECT_EQ(stat({"--set", "command=rsync", "weight=20"}).output, "command=rsync  weight=20\n");
  EXPECT_EQ(stat({"--set", "pid=" + std::to_string(::getpid()), "class=idle"}).output,
            "pid=" + std::to_string(::getpid()) + "  class=idle\ncommand=rsync  weight=20\n");
  EXPECT_EQ(stat({"--unset", "command=rsync"}).output, "pid=" + std::to_string(::getpid()) + "  class=idle\n");
  EXPECT_EQ(stat({"--unset", "all"}).output, "nothing is set: the weights file alone counts\n");
}

TEST_F(Steering, IsSeenInTheNextReading) {
  ASSERT_EQ(mount().status, 0);
  write_file(mountpoint("file"), "counted");
  const std::string own = "pid=" + std::to_string(::getpid());
  ASSERT_EQ(stat({"--set", own, "weight=4321"}).status, 0);
  const std::string json = stat({"--json", "--count", "1", "--interval", "0.1"}).output;
  EXPECT_NE(json.find("\"weight\":4321"), std::string::npos) << json;
}

// Whoever looks for a file has its number from `ls -i`.
TEST_F(Steering, ATraceKnowsFilesByTheirNumber) {
  ASSERT_EQ(mount().status, 0);
  write_file(mountpoint("file"), "synced");
  const pid_t other = ::fork();
  if (other == 0) {
    ::alarm(60);
    const UniqueFd file = open_file(mountpoint("file"), O_WRONLY);
    while (::pwrite(file.get(), "x", 1, 0) == 1 && ::fsync(file.get()) == 0) {
    }
    ::_exit(1);
  }
  const std::string number = std::to_string(status_of(mountpoint("file")).st_ino);
  const Ended ended =
      run({"timeout", "30", viewer(), mountpoint(), "--trace", "inode=" + number, "--json", "--count", "3"});
  ::kill(other, SIGKILL);
  ::waitpid(other, nullptr, 0);
  EXPECT_EQ(ended.status, 0);
  EXPECT_NE(ended.output.find("\"inode\":" + number + ","), std::string::npos) << ended.output;
}

TEST_F(Steering, WhatIsWrongIsOneLine) {
  ASSERT_EQ(mount().status, 0);
  const std::string start = "fairfs-stat: " + (root() / "mount").string() + ": ";
  EXPECT_EQ(complaint(stat({"--set", "command=rsync", "weight=0"})),
            start + "weight = 0 is out of range; allowed is a whole number from 1 to 10000\n");
  EXPECT_EQ(complaint(stat({"--unset", "command=rsync"})),
            start + "unset: command=rsync: nothing was set for it; name it as it was set, or 'all'\n");
  EXPECT_NE(complaint(stat({"--reload"})).find("it has no weights file; mount it with -o weights=FILE"),
            std::string::npos);
}

TEST_F(Steering, ReloadsAndSaysWhatIsWrongWithTheFile) {
  write_rules("default_weight = 7\n");
  ASSERT_EQ(mount_with_rules().status, 0);
  EXPECT_EQ(stat({"--reload"}).output, "reloaded\n");
  write_rules("default_weight = 0\n");
  EXPECT_EQ(complaint(stat({"--reload"})),
            "fairfs-stat: " + (root() / "mount").string() + ": " + (root() / "w.toml").string() +
                ":1:18: default_weight = 0 is out of range; allowed is a whole number from 1 to 10000; the old rules "
                "stay in force\n");
}

TEST_F(Steering, OthersLookIfTheyMayAndChangeNothing) {
  ASSERT_EQ(mount("stat_access=all").status, 0);
  const auto as_nobody = [] { return ::setgid(65534) == 0 && ::setuid(65534) == 0; };
  const auto asked = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {viewer(), (root() / "mount").string()});
    return run(words, [&] {
      if (!as_nobody()) ::_exit(99);
    });
  };
  EXPECT_EQ(asked({"--json", "--count", "1", "--interval", "0.2"}).status, 0);
  const std::string refusal = "fairfs-stat: " + (root() / "mount").string() +
                              ": only root and the user that mounted it may change or trace anything\n";
  EXPECT_EQ(complaint(asked({"--set", "user=65534", "weight=10000"})), refusal);
  EXPECT_EQ(complaint(asked({"--unset", "all"})), refusal);
  EXPECT_EQ(complaint(asked({"--reload"})), refusal);
  EXPECT_EQ(stat({"--overrides"}).output, "nothing is set: the weights file alone counts\n");
}

TEST_F(Steering, OthersAreKeptOutUnlessTheOptionSaysSo) {
  ASSERT_EQ(mount().status, 0);
  const Ended ended = run({viewer(), (root() / "mount").string(), "--once"}, [] {
    if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(99);
  });
  EXPECT_EQ(complaint(ended),
            "fairfs-stat: stat: " + (root() / "mount").string() + ": Permission denied; ask as its owner or as root\n");
}

TEST_F(Steering, OfTwoMountedOverOneAnotherTheUpperOneAnswersAndThenTheOther) {
  const auto shown = [&] {
    const std::string table = stat({"--once"}).output;
    return table.substr(0, table.find('\n'));
  };
  const std::string mountpoint = (root() / "mount").string(),
                    lower = mountpoint + " <- " + source("").parent_path().string(),
                    other = (root() / "other").string();
  ASSERT_EQ(mount().status, 0);
  EXPECT_EQ(shown(), lower);
  std::filesystem::create_directory(other);
  ASSERT_EQ(run({program(), other, mountpoint}).status, 0);
  EXPECT_EQ(shown(), mountpoint + " <- " + other);
  EXPECT_EQ(run({"umount", mountpoint}).status, 0);
  EXPECT_TRUE(eventually(std::chrono::seconds{5}, [&] { return shown() == lower; })) << shown();
}

TEST_F(Steering, TheEndedAreMarkedAndTheDaemonIsNobody) {
  ASSERT_EQ(mount().status, 0);
  ASSERT_EQ(run({"touch", mountpoint("file").string()}).status, 0);
  write_file(mountpoint("other"), "mine");
  const std::string table = stat({"--once"}).output, own = "\nfairfs_mount_te[";
  EXPECT_NE(table.find("touch[ended]"), std::string::npos) << table;
  EXPECT_NE(table.find(own), std::string::npos) << table;
  EXPECT_EQ(table.find(own + "ended]"), std::string::npos) << table;
  EXPECT_EQ(table.find("\nfairfs["), std::string::npos) << table;
}

}  // namespace
}  // namespace fairfs::test
