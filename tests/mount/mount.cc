#include "tests/mount/mount.h"

#include <fcntl.h>
#include <grp.h>
#include <linux/magic.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <system_error>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr auto kLook = 5ms;       // between two looks at a condition that nothing announces
constexpr auto kMountTime = 10s;  // generous: a busy machine, a sanitizer build
constexpr auto kUnmountTime = 10s;

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::max<std::int64_t>(left.count(), 0));
}

std::string environment(const char* name, const std::string& otherwise) {
  const char* value = std::getenv(name);
  return value && *value ? value : otherwise;
}

std::string program() { return environment("FAIRFS", FAIRFS_BINARY); }

[[noreturn]] void fail(const std::string& what) { throw std::system_error{errno, std::generic_category(), what}; }

}  // namespace

bool eventually(std::chrono::milliseconds limit, const std::function<bool()>& condition) {
  const auto deadline = Clock::now() + limit;
  while (!condition()) {
    if (Clock::now() >= deadline) return false;
    ::poll(nullptr, 0, static_cast<int>(kLook.count()));
  }
  return true;
}

int in_child(const std::function<int()>& body) {
  const pid_t child = ::fork();
  if (child < 0) fail("fork");
  if (child == 0) ::_exit(body());
  int status = 0;
  if (::waitpid(child, &status, 0) != child) fail("waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int as_user(uid_t uid, gid_t gid, std::initializer_list<gid_t> groups, const std::function<int()>& body) {
  return in_child([&] {
    if (::setgroups(groups.size(), groups.begin()) || ::setresgid(gid, gid, gid) || ::setresuid(uid, uid, uid))
      return errno;
    return body();
  });
}

UniqueFd open_file(const Path& path, int flags, mode_t mode) {
  UniqueFd file{::open(path.c_str(), flags | O_CLOEXEC, mode)};
  if (!file) fail("open " + path.string());
  return file;
}

void write_file(const Path& path, const std::string& contents) {
  const UniqueFd file = open_file(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (::write(file.get(), contents.data(), contents.size()) != static_cast<ssize_t>(contents.size()))
    fail("write " + path.string());
}

std::string read_file(const Path& path) {
  const UniqueFd file = open_file(path, O_RDONLY);
  std::string contents, piece(1 << 16, '\0');
  for (ssize_t count; (count = ::read(file.get(), piece.data(), piece.size())) != 0;) {
    if (count < 0) fail("read " + path.string());
    contents.append(piece, 0, static_cast<std::size_t>(count));
  }
  return contents;
}

struct stat status_of(const Path& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status)) fail("stat " + path.string());
  return status;
}

struct stat link_status_of(const Path& path) {
  struct stat status {};
  if (::lstat(path.c_str(), &status)) fail("lstat " + path.string());
  return status;
}

std::string pattern(std::size_t size, unsigned seed) {
  std::string bytes(size, '\0');
  std::uint32_t state = seed * 2654435761u + 1;
  for (char& byte : bytes) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes' generator: its high byte is random enough
    byte = static_cast<char>(state >> 24);
  }
  return bytes;
}

void MountTest::SetUp() {
  const Path base = environment("FAIRFS_TEST_DIR", "/var/tmp");
  struct statfs where {};
  if (::statfs(base.c_str(), &where)) fail("statfs " + base.string());
  if (where.f_type == TMPFS_MAGIC) GTEST_SKIP() << base << " is a tmpfs; set FAIRFS_TEST_DIR to a real filesystem";
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: users are switched, devices made, the mount is for all";
  const bool mount = environment("FAIRFS_NATIVE", "").empty();
  if (mount && ::access("/dev/fuse", R_OK | W_OK)) GTEST_SKIP() << "no /dev/fuse here";

  std::string root = base / "fairfs-test-XXXXXX";
  if (!::mkdtemp(root.data())) fail("mkdtemp " + root);
  root_ = root;
  source_ = root_ / "source";
  mountpoint_ = mount ? root_ / "mount" : source_;
  std::filesystem::create_directory(source_);
  std::filesystem::create_directories(mountpoint_);
  ::umask(022);
  if (::chmod(root_.c_str(), 0755) || ::chmod(source_.c_str(), 0777)) fail("chmod " + root);
  if (mount) start();
}

void MountTest::start() {
  const std::string log_path = root_ / "log";
  daemon_ = ::fork();
  if (daemon_ < 0) fail("fork");
  if (daemon_ == 0) {
    const int out = ::open(log_path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    ::dup2(out, STDOUT_FILENO);
    ::dup2(out, STDERR_FILENO);
    // Measuring the disk first would take seconds for each test; another program knows no such option.
    const bool measures = Path{program()}.filename() == "fairfs";
    const std::string given = environment("FAIRFS_OPTIONS", "");
    const std::string options = measures ? (given.empty() ? "probe=off" : "probe=off," + given) : given;
    ::execl(program().c_str(), program().c_str(), source_.c_str(), mountpoint_.c_str(), "-f",
            options.empty() ? nullptr : "-o", options.c_str(), nullptr);
    ::_exit(127);
  }
  daemon_end_ = UniqueFd{static_cast<int>(::syscall(SYS_pidfd_open, daemon_, 0))};
  if (!daemon_end_) fail("pidfd_open");
  ASSERT_TRUE(wait_for_mounts(kMountTime, [&] { return is_mounted(); }))
      << program() << " didn't mount " << mountpoint_ << "\n"
      << log();
  struct stat status {};
  ASSERT_EQ(::stat(mountpoint_.c_str(), &status), 0) << std::generic_category().message(errno) << "\n" << log();
}

void MountTest::TearDown() {
  if (daemon_ > 0) {
    ::kill(daemon_, SIGTERM);
    pollfd ended{daemon_end_.get(), POLLIN, 0};
    const bool ends = ::poll(&ended, 1, static_cast<int>(std::chrono::milliseconds{kUnmountTime}.count())) == 1;
    EXPECT_TRUE(ends) << "the daemon is still there " << kUnmountTime.count() << " s after SIGTERM\n" << log();
    if (!ends) ::kill(daemon_, SIGKILL);
    int status = 0;
    EXPECT_EQ(::waitpid(daemon_, &status, 0), daemon_);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "wait status " << status << "\n" << log();
    EXPECT_EQ(log().find("Sanitizer"), std::string::npos) << log();
    EXPECT_TRUE(wait_for_mounts(kUnmountTime, [&] { return !is_mounted(); })) << "still mounted";
    if (is_mounted()) ::umount2(mountpoint_.c_str(), MNT_DETACH);
  }
  // Never through a mount that failed to go away: one level of care before a recursive removal.
  if (!root_.empty() && !is_mounted()) std::filesystem::remove_all(root_);
}

bool MountTest::is_mounted() const {
  if (mountpoint_ == source_) return false;
  std::ifstream mounts{"/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);)
    if (line.find(" " + mountpoint_.string() + " ") != line.npos && line.find(" - fuse") != line.npos) return true;
  return false;
}

bool MountTest::wait_for_mounts(std::chrono::milliseconds limit, const std::function<bool()>& condition) const {
  const UniqueFd mounts{::open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)};
  const auto deadline = Clock::now() + limit;
  while (!condition()) {
    pollfd events[] = {{mounts.get(), POLLPRI, 0}, {daemon_end_.get(), POLLIN, 0}};
    if (::poll(events, 2, milliseconds_until(deadline)) <= 0) return condition();
    if (events[1].revents) return condition();  // nothing more will change
  }
  return true;
}

std::string MountTest::log() const {
  std::ifstream file{root_ / "log"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

}  // namespace fairfs::test
