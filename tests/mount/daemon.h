// DaemonTest: two empty directories and the program, started by the test itself and in as many ways as it likes.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/mount/mount.h"

namespace fairfs::test {

class DaemonTest : public testing::Test {
 protected:
  struct Ended {
    int status = -1;  ///< exit status, -1 for a signal or when it didn't end in time
    std::string output;
  };

  void SetUp() override;
  /// Unmounts what is left below the test's directory and removes it.
  void TearDown() override;

  Path root() const { return root_; }
  Path source(const std::string& name = "") const { return root_ / "source" / name; }
  Path mountpoint(const std::string& name = "") const { return root_ / "mount" / name; }

  /// Runs `words`, and -o probe=off with the program itself unless they say otherwise, to its end, which for a program
  /// that goes to the background is when the mount answers. `prepare` is called in the child before the program starts,
  /// with its output already going into a pipe of ours: the end of that pipe is awaited too.
  Ended run(
      std::vector<std::string> words, const std::function<void()>& prepare = [] {}) const;
  /// The program's path, and the usual way to start it.
  static std::string program();
  Ended mount(const std::string& options = "") const;
  /// A daemon that stays a child of the test's; returns when it is mounted.
  pid_t mount_in_foreground(const std::string& options = "") const;
  /// Exit status, or -1 when it is still there after `limit`.
  static int end_of(pid_t child, std::chrono::milliseconds limit = std::chrono::seconds{10});

  /// The line of /proc/self/mountinfo, empty when nothing is mounted there.
  static std::string mount_line(const Path& path);
  bool is_mounted() const { return !mount_line(root_ / "mount").empty(); }
  /// The daemon of this test's mount, found by the directory in its command line.
  pid_t daemon() const;

 private:
  Path root_;
};

/// For `prepare`: the program may open so many descriptors, and has no right to raise that.
inline constexpr unsigned kFewDescriptors = 512;
void few_descriptors();

/// Descriptors that process `pid` has open.
std::size_t descriptors_of(pid_t pid);

}  // namespace fairfs::test
