// MountTest: a fresh directory on a real filesystem, mirrored by the fairfs program for the length of one test.
//
// FAIRFS           the program to test instead of the one built (anything taking SOURCE MOUNTPOINT -f)
// FAIRFS_OPTIONS   mount options for it ("write_behind=off,max_wait=2") beside probe=off, none by default
// FAIRFS_TEST_DIR  where to work (default /var/tmp); must not be a tmpfs
// FAIRFS_NATIVE=1  no mount at all: the same expectations held against the kernel's own filesystem
#pragma once

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <initializer_list>
#include <string>

#include "tests/mount/unique_fd.h"

namespace fairfs::test {

using Path = std::filesystem::path;

/// Waits until `condition` holds, looking every few milliseconds; false if it still doesn't after `limit`.
[[nodiscard]] bool eventually(std::chrono::milliseconds limit, const std::function<bool()>& condition);

/// What a changed file may take to show through the mount: the timeout of attributes and names, and slack for a busy
/// machine.
inline constexpr std::chrono::milliseconds kCoherent{1000 + 250};

/// Runs `body` in a child process and answers its result (0 for success, by custom an errno); -1 if it died.
int in_child(const std::function<int()>& body);

/// As in_child, with the child's user and group changed first; `groups` become its supplementary groups.
int as_user(uid_t uid, gid_t gid, std::initializer_list<gid_t> groups, const std::function<int()>& body);

/// open(2), close-on-exec. Throws std::system_error.
UniqueFd open_file(const Path& path, int flags, mode_t mode = 0644);

/// Replaces the contents of `path`, creating it with mode 0644 where needed. Throws std::system_error.
void write_file(const Path& path, const std::string& contents);
/// All of `path`, read in pieces. Throws std::system_error.
std::string read_file(const Path& path);

/// stat(2) and lstat(2). Throw std::system_error.
struct stat status_of(const Path& path);
struct stat link_status_of(const Path& path);

/// `size` bytes that look different at every offset and for every seed.
std::string pattern(std::size_t size, unsigned seed = 1);

class MountTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// A path seen through the mount, and the same file on the backing filesystem.
  Path mounted(const std::string& name = "") const { return mountpoint_ / name; }
  Path source(const std::string& name = "") const { return source_ / name; }

  /// Process id of the daemon; 0 when native.
  pid_t daemon() const { return daemon_; }
  bool native() const { return daemon_ == 0; }

 private:
  void start();
  bool is_mounted() const;
  /// Waits for `condition`, looking at it after every change of the mount table and when the daemon ends.
  bool wait_for_mounts(std::chrono::milliseconds limit, const std::function<bool()>& condition) const;
  std::string log() const;

  Path root_, source_, mountpoint_;
  pid_t daemon_ = 0;
  UniqueFd daemon_end_;  ///< pidfd: readable once the daemon has ended
};

}  // namespace fairfs::test
