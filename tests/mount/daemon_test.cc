// The daemon's own life: how it starts, what mount(8) and an fstab ask of it, how it ends, and what it leaves.

#include "tests/mount/daemon.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

class Daemon : public DaemonTest {};

TEST_F(Daemon, StartsWithoutStandardDescriptors) {
  const auto close_all = [] {
    for (int standard = 0; standard <= 2; ++standard) ::close(standard);
  };
  EXPECT_EQ(run({program(), source(), mountpoint(), "-o", "log_level=debug"}, close_all).status, 0);
  write_file(mountpoint("file"), "only this");
  EXPECT_EQ(read_file(source("file")), "only this");
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // which take all addresses there are
// Threads that could not be started ended it by std::terminate, whatever was running already.
TEST_F(Daemon, WithTooLittleMemoryItServesOrSaysSo) {
  int served = 0, refused = 0, killed = 0;
  for (rlim_t megabytes = 25; megabytes <= 800; megabytes += 25) {
    const Ended ended = run({program(), source(), mountpoint()}, [megabytes] {
      const rlimit limit{megabytes << 20, megabytes << 20};
      if (::setrlimit(RLIMIT_AS, &limit) != 0) ::_exit(126);
    });
    if (ended.status == 0) {
      ++served;
      ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0) << megabytes;
    } else if (ended.output.find("ended by signal") != std::string::npos) {
      // Where there is just enough for the threads but for none of their own memory the C library itself gives up
      // ("failed to register TLS destructor: out of memory"). What is ours is in reader_pool_test.cc.
      ++killed;
      ::umount2(mountpoint().c_str(), MNT_DETACH);
    } else {
      ++refused;
      EXPECT_EQ(ended.status, 1) << megabytes << ": " << ended.output;
      EXPECT_TRUE(ended.output.starts_with("fairfs: ") && ended.output.ends_with("\n")) << ended.output;
      EXPECT_EQ(std::count(ended.output.begin(), ended.output.end(), '\n'), 1) << ended.output;
      EXPECT_FALSE(is_mounted()) << megabytes;
    }
  }
  EXPECT_GT(served, 0);
  EXPECT_GT(refused, killed);
}
#endif

TEST_F(Daemon, InTheBackgroundHoldsNobodysPipe) {
  const Ended ended = mount();  // awaits the pipe's end
  EXPECT_EQ(ended.status, 0);
  EXPECT_EQ(ended.output, "");
  EXPECT_TRUE(is_mounted());
}

TEST_F(Daemon, StartsWithItsMountpointInThePath) {
  const auto prepare = [&] {
    ::setenv("PATH", (mountpoint().string() + ":" + std::getenv("PATH")).c_str(), 1);
    ::setenv("HOME", mountpoint().c_str(), 1);
  };
  EXPECT_EQ(run({program(), source(), mountpoint()}, prepare).status, 0);
}

TEST_F(Daemon, OddNamesOfSourceAndMountpoint) {
  const Path odd = root() / "a,b:c \\d\n\te";
  const Path from = odd / "s,x", to = odd / "m,y";
  std::filesystem::create_directories(from);
  std::filesystem::create_directories(to);
  ASSERT_EQ(run({program(), from, to, "-o", "log_file=" + (root() / "log").string()}).status, 0);
  write_file(to / "file", "through odd names");
  EXPECT_EQ(read_file(from / "file"), "through odd names");
  EXPECT_EQ(::umount2(to.c_str(), 0), 0);
  std::ifstream log{root() / "log"};
  int lines = 0;
  for (std::string line; std::getline(log, line); ++lines)
    EXPECT_TRUE(line.starts_with('[')) << "a line feed of a name: " << line;
  EXPECT_GT(lines, 0);
}

TEST_F(Daemon, WordsOfAnFstabAreTakenAndFlagsTakeEffect) {
  ASSERT_EQ(mount("rw,nofail,_netdev,noauto,user,exec,noatime,x-systemd.automount,x-gvfs-show,defaults").status, 0);
  struct statvfs found {};
  ASSERT_EQ(::statvfs(mountpoint().c_str(), &found), 0);
  EXPECT_NE(found.f_flag & ST_NOATIME, 0u);
  EXPECT_NE(found.f_flag & ST_NOSUID, 0u) << "the default";
  EXPECT_EQ(found.f_flag & ST_NOEXEC, 0u);
}

TEST_F(Daemon, ReadOnlyAndSuid) {
  ASSERT_EQ(mount("ro,suid,dev").status, 0);
  EXPECT_EQ(::open(mountpoint("new").c_str(), O_CREAT | O_WRONLY, 0644), -1);
  EXPECT_EQ(errno, EROFS);
  struct statvfs found {};
  ASSERT_EQ(::statvfs(mountpoint().c_str(), &found), 0);
  EXPECT_EQ(found.f_flag & (ST_NOSUID | ST_NODEV), 0u);
}

TEST_F(Daemon, MountTablesShowSourceAndType) {
  ASSERT_EQ(mount().status, 0);
  const std::string expected = " - fuse.fairfs " + (root() / "source").string() + " ";
  EXPECT_NE(mount_line(root() / "mount").find(expected), std::string::npos) << mount_line(root() / "mount");
  ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  ASSERT_EQ(mount("fsname=my\\,disk").status, 0);
  EXPECT_NE(mount_line(root() / "mount").find(" - fuse.fairfs my,disk "), std::string::npos);
}

TEST_F(Daemon, AsMountsHelper) {
  const Path helper = root() / "mount.fuse.fairfs";
  std::filesystem::create_symlink(program(), helper);
  const std::vector<std::string> paths{helper, source(), mountpoint()};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), paths.begin(), paths.end());
    return run(more).status;
  };
  EXPECT_EQ(with({"-n", "-v", "-o", "rw,unheard=of"}), 2);
  EXPECT_EQ(with({"-f", "-o", "rw"}), 0);
  EXPECT_FALSE(is_mounted());
  EXPECT_EQ(with({"-n", "-s", "-v", "-o", "rw,unheard=of,noatime", "-t", "fuse.fairfs"}), 0);
  EXPECT_TRUE(is_mounted());
}

// Whoever looked at a stopped daemon's mount waited until it went on, and could not even be killed.
TEST_F(Daemon, OverOneThatHangsItSaysSo) {
  const pid_t hanging = mount_in_foreground();
  std::filesystem::create_directories(root() / "elsewhere");
  ASSERT_EQ(::kill(hanging, SIGSTOP), 0);
  ASSERT_EQ(::waitpid(hanging, nullptr, WUNTRACED), hanging);  // its last thread has stopped: nobody answers any more
  const auto began = std::chrono::steady_clock::now();
  const std::string top = (root() / "mount").string();
  const std::string why = "what is mounted at " + top + " does not answer";
  const auto expect_told = [&](const Ended& ended, const std::string& what) {
    EXPECT_EQ(ended.status, 1);
    EXPECT_EQ(ended.output, what + ": " + why + "; wake or end its daemon, or take it away: umount -l " + top + "\n");
  };
  expect_told(run({program(), source(), top}), "fairfs: mountpoint: " + top);
  expect_told(run({program(), top + "/sub", root() / "elsewhere"}), "fairfs: source: " + top + "/sub");
  expect_told(run({Path{program()}.parent_path() / "fairfs-stat", top + "/sub/deep", "--once"}),
              "fairfs-stat: mountpoint: " + top + "/sub");
  EXPECT_LT(std::chrono::steady_clock::now() - began, 12s);  // three times two seconds
  ASSERT_EQ(::kill(hanging, SIGCONT), 0);
  EXPECT_EQ(run({program(), source(), root() / "elsewhere"}).status, 0) << "who was left behind holds nothing up";
  EXPECT_EQ(::umount2((root() / "elsewhere").c_str(), 0), 0);
}

TEST_F(Daemon, OverItsOwnDeadMount) {
  for (int round = 0; round < 2; ++round) {
    const pid_t first = mount_in_foreground();
    write_file(mountpoint("synced"), "acknowledged by fsync");
    ASSERT_EQ(::fsync(open_file(mountpoint("synced"), O_RDWR).get()), 0);
    ASSERT_EQ(::kill(first, SIGKILL), 0);
    ASSERT_EQ(::waitpid(first, nullptr, 0), first);
    struct statvfs status {};
    ASSERT_EQ(::statvfs(mountpoint().c_str(), &status), -1);
    ASSERT_EQ(errno, ENOTCONN);
    ASSERT_EQ(mount().status, 0);
    EXPECT_EQ(read_file(mountpoint("synced")), "acknowledged by fsync");
    write_file(mountpoint("again"), "served again");
    EXPECT_EQ(read_file(source("again")), "served again");
    ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0);
    EXPECT_FALSE(is_mounted()) << "the dead one was left below";
  }
}

TEST_F(Daemon, NoSecondOneOverALiveOne) {
  ASSERT_EQ(mount().status, 0);
  write_file(mountpoint("file"), "of the first");
  const Ended second = mount();
  EXPECT_EQ(second.status, 1);
  EXPECT_NE(second.output.find("is mounted here already; unmount it first"), std::string::npos) << second.output;
  EXPECT_EQ(read_file(mountpoint("file")), "of the first");
  ASSERT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_FALSE(is_mounted());
  EXPECT_EQ(mount().status, 0);
}

TEST_F(Daemon, SignalsEndItWithEverythingWritten) {
  const std::string bytes = pattern(8 << 20);
  for (const int signal : {SIGTERM, SIGINT}) {
    const pid_t child = mount_in_foreground();
    write_file(mountpoint("big"), bytes);
    ASSERT_EQ(::kill(child, signal), 0);
    EXPECT_EQ(end_of(child), 0) << signal;
    EXPECT_FALSE(is_mounted()) << signal;
    EXPECT_TRUE(read_file(source("big")) == bytes) << signal;
  }
}

TEST_F(Daemon, WhatLiesOverItStaysWhenItEnds) {
  const pid_t child = mount_in_foreground();
  ASSERT_EQ(::mount("none", mountpoint().c_str(), "tmpfs", 0, nullptr), 0);
  write_file(mountpoint("of another"), "kept");
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(read_file(mountpoint("of another")), "kept");
  EXPECT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_EQ(run({program(), source(), mountpoint()}).status, 0) << "its own, dead below, is taken away as any";
  EXPECT_EQ(::umount2(mountpoint().c_str(), 0), 0);
  EXPECT_FALSE(is_mounted());
}

TEST_F(Daemon, TakesItsMountAwayWhereverItWasMoved) {
  const pid_t child = mount_in_foreground();
  const Path home = root(), away = root().string() + "-moved away";
  std::filesystem::rename(home, away);
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(end_of(child), 0);
  EXPECT_EQ(read_file("/proc/self/mountinfo").find("-moved"), std::string::npos);
  std::filesystem::rename(away, home);
  EXPECT_FALSE(is_mounted());
}

// A server that is gone, as another FUSE daemon that is stopped.
TEST_F(Daemon, WhatHangsInsideItsSourceHoldsUpNobodyElse) {
  const Path behind = root() / "behind", inner = source("inner");
  std::filesystem::create_directory(behind);
  std::filesystem::create_directory(inner);
  write_file(behind / "file", "deep");
  const std::string started =
      run({"sh", "-c", "\"$@\" >/dev/null 2>&1 & echo $!", "sh", program(), behind, inner, "-f", "-o", "probe=off"})
          .output;
  const pid_t hanging = std::atoi(started.c_str());
  ASSERT_GT(hanging, 0) << started;
  ASSERT_TRUE(eventually(10s, [&] { return std::filesystem::exists(inner / "file"); }));
  ASSERT_EQ(mount().status, 0);
  EXPECT_EQ(read_file(mountpoint("inner/file")), "deep");
  ASSERT_EQ(::kill(hanging, SIGSTOP), 0);
  EXPECT_FALSE(eventually(1500ms, [] { return false; })) << "what the kernel knows of it is too old then";
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(in_child([&] {
                ::alarm(20);
                int names = 0;
                for (const auto& entry : std::filesystem::directory_iterator{mountpoint()})
                  names += !entry.path().empty();
                const UniqueFd made{::open(mountpoint("new").c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644)};
                return names >= 1 && made ? 0 : 1;
              }),
              0)
        << round;
  }
  ASSERT_EQ(::kill(hanging, SIGCONT), 0);
  EXPECT_EQ(read_file(mountpoint("inner/file")), "deep");
  EXPECT_EQ(::umount2(mountpoint().c_str(), MNT_DETACH), 0);
  ASSERT_EQ(::kill(hanging, SIGTERM), 0);
  EXPECT_TRUE(eventually(10s, [&] { return ::kill(hanging, 0) != 0; }));
}

TEST_F(Daemon, RefusesALimitThatLeavesNoOpenFiles) {
  const std::string limited = "ulimit -n 64; exec setpriv --bounding-set=-sys_resource --inh-caps=-sys_resource \"$@\"";
  const Ended ended = run({"sh", "-c", limited, "sh", program(), source(), mountpoint()});
  EXPECT_EQ(ended.status, 1);
  EXPECT_NE(ended.output.find("a limit of 64 descriptors leaves 0 for open files"), std::string::npos) << ended.output;
  EXPECT_FALSE(is_mounted());
}

TEST_F(Daemon, HangupIsNoEndNorIsWhatMeansNothingToIt) {
  const pid_t child = mount_in_foreground();
  for (const int signal : {SIGHUP, SIGUSR1, SIGUSR2, SIGALRM, SIGPIPE}) {
    ASSERT_EQ(::kill(child, signal), 0);
    write_file(mountpoint("after"), "still here");
  }
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(end_of(child), 0);
}

TEST_F(Daemon, OverItsSource) {
  write_file(source("file"), "hidden and shown");
  ASSERT_EQ(run({program(), source(), source()}).status, 0);
  EXPECT_EQ(read_file(source("file")), "hidden and shown");
  EXPECT_EQ(::umount2(source().c_str(), 0), 0);
}

TEST_F(Daemon, InsideItsSource) {
  std::filesystem::create_directory(source("inner"));
  write_file(source("file"), "outside");
  ASSERT_EQ(run({program(), source(), source("inner")}).status, 0);
  EXPECT_EQ(read_file(source("inner/file")), "outside");
  // Its own mount seen through itself is refused, or it could never be unmounted.
  struct stat status {};
  EXPECT_EQ(::stat(source("inner/inner").c_str(), &status), -1);
  EXPECT_EQ(errno, ELOOP);
  EXPECT_EQ(::umount2(source("inner").c_str(), 0), 0);
}

TEST_F(Daemon, AboveItsSource) {
  std::filesystem::create_directories(source("deep/inner"));
  write_file(source("deep/inner/file"), "from below");
  write_file(source("hidden"), "covered");
  ASSERT_EQ(run({program(), source("deep/inner"), source()}).status, 0);
  EXPECT_EQ(read_file(source("file")), "from below");
  write_file(source("new"), "made above");
  EXPECT_FALSE(std::filesystem::exists(source("hidden")));
  EXPECT_EQ(::umount2(source().c_str(), 0), 0);
  EXPECT_EQ(read_file(source("deep/inner/new")), "made above");
}

TEST_F(Daemon, ItsFilesMayLieUnderItsMount) {
  write_file(source("weights.toml"), "# none\n");
  const pid_t child =
      mount_in_foreground("weights=" + source("weights.toml").string() + ",log_file=" + source("log").string());
  write_file(mountpoint("weights.toml"), "# none yet\n");
  ASSERT_EQ(::kill(child, SIGHUP), 0);
  EXPECT_TRUE(eventually(kCoherent, [&] { return !read_file(mountpoint("log")).empty(); }));
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  EXPECT_EQ(end_of(child), 0);
}

TEST_F(Daemon, IsNotChosenWhenMemoryIsShort) {
  const UniqueFd own = open_file("/proc/self/oom_score_adj", O_WRONLY);
  if (::write(own.get(), "-1", 2) < 0) GTEST_SKIP() << "no right to lower a process's score here";
  ASSERT_EQ(::write(own.get(), "0", 1), 1);
  ASSERT_EQ(mount().status, 0);
  std::ifstream score{"/proc/" + std::to_string(daemon()) + "/oom_score_adj"};
  int value = 0;
  score >> value;
  EXPECT_LT(value, 0);
}

}  // namespace
}  // namespace fairfs::test
