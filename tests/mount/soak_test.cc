// Hours in minutes: random operations of several processes at once, under memory pressure, with all caches dropped
// again and again. What the daemon holds then may not grow. Takes FAIRFS_SOAK_SECONDS; skipped without.

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "tests/mount/differential/generator.h"
#include "tests/mount/differential/side.h"
#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

/// The load comes in ten pieces; between them nothing is open. What the first left is the measure: with half an hour,
/// that of minute three.
constexpr int kPieces = 10;
constexpr int kProcesses = 4;
constexpr double kGrowthMax = 1.05;
constexpr auto kCachesLive = 2s;     // from one drop to the next
constexpr auto kSettles = 12s;       // the kernel forgets in its own time, and the daemon keeps memory for 5 to 10 s
constexpr long kMemory = 64L << 20;  // of all processes together, their pages included

struct Holdings {
  double memory = 0, own = 0, descriptors = 0;  ///< KiB; of it not pages of files; number
};

class Soak : public MountTest {
 protected:
  void TearDown() override {
    if (!group_.empty()) {
      EXPECT_TRUE(eventually(10s, [&] { return ::rmdir(group_.c_str()) == 0; }));
    }
    MountTest::TearDown();
  }

  /// A memory cgroup for the load, where there are any.
  void limit_memory() {
    const Path parent = "/sys/fs/cgroup/memory", group = parent / ("fairfs-test-" + std::to_string(::getpid()));
    if (!std::filesystem::exists(parent / "memory.limit_in_bytes") || ::mkdir(group.c_str(), 0755) != 0) return;
    group_ = group;
    std::ofstream{group_ / "memory.limit_in_bytes"} << kMemory;
  }

  pid_t start(std::uint64_t seed, Clock::time_point end) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    if (!group_.empty()) std::ofstream{group_ / "cgroup.procs"} << ::getpid();
    ::signal(SIGPIPE, SIG_IGN);
    const UniqueFd root = open_file(mounted(), O_RDONLY | O_DIRECTORY);
    Side side{root.get()};
    Generator generator{Seed{seed}};
    while (Clock::now() < end) side.apply(generator.next());
    ::_exit(0);
  }

  void drop_caches() { std::ofstream{"/proc/sys/vm/drop_caches"} << 3; }

  Holdings held() const {
    Holdings now;
    const Path process = "/proc/" + std::to_string(daemon());
    for (const auto& entry : std::filesystem::directory_iterator{process / "fd"})
      now.descriptors += !entry.path().empty();
    std::ifstream status{process / "status"};
    for (std::string word; status >> word;) {
      if (word == "VmRSS:") status >> now.memory;
      if (word == "RssAnon:") status >> now.own;
    }
    return now;
  }
  /// The least within some seconds. Dropping caches is work for the daemon, which gives memory back when it has none.
  Holdings settled() {
    Holdings least = held();
    const auto end = Clock::now() + kSettles;
    for (auto drop = Clock::now(); drop < end; drop += kCachesLive) {
      drop_caches();
      static_cast<void>(eventually(kCachesLive, [&] {
        const Holdings now = held();
        least = {std::min(least.memory, now.memory), std::min(least.own, now.own),
                 std::min(least.descriptors, now.descriptors)};
        return Clock::now() >= drop + kCachesLive;
      }));
    }
    return least;
  }

  void load(std::uint64_t seed, std::chrono::seconds length) {
    const auto end = Clock::now() + length;
    std::vector<pid_t> children;
    for (int i = 0; i < kProcesses; ++i) children.push_back(start(seed + static_cast<std::uint64_t>(i), end));
    while (Clock::now() < end) {
      if (!eventually(kCachesLive, [&] { return Clock::now() >= end; })) drop_caches();
    }
    for (const pid_t child : children) {
      int status = -1;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
  }

 private:
  Path group_;
};

TEST_F(Soak, WhatTheDaemonHoldsDoesNotGrow) {
  const char* seconds = std::getenv("FAIRFS_SOAK_SECONDS");
  if (seconds == nullptr) GTEST_SKIP() << "takes long: set FAIRFS_SOAK_SECONDS";
  if (native()) GTEST_SKIP() << "there is no daemon";
  const std::chrono::seconds length{std::max(std::atoi(seconds) / kPieces, 1)};
  limit_memory();
  Holdings measure, last;
  for (int piece = 1; piece <= kPieces; ++piece) {
    load(static_cast<std::uint64_t>(piece) * 1000, length);
    ASSERT_FALSE(HasFailure());
    last = settled();
    std::printf("%ld s: %.0f KiB (%.0f of them its own), %.0f descriptors\n",
                static_cast<long>(length.count()) * piece, last.memory, last.own, last.descriptors);
    std::fflush(stdout);
    if (piece == 1) measure = last;
  }
  EXPECT_LE(last.memory, measure.memory * kGrowthMax);
  EXPECT_LE(last.descriptors, measure.descriptors * kGrowthMax);
}

}  // namespace
}  // namespace fairfs::test
