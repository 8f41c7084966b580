#include "tests/mount/daemon.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <poll.h>
#include <signal.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
constexpr auto kStartTime = 20s;  // generous: a busy machine, a sanitizer build

/// Everything that comes through `fd` until all its writers have closed it; a line that says so if they don't.
std::string read_to_the_end(int fd) {
  std::string text;
  std::array<char, 4096> piece{};
  for (;;) {
    pollfd waiting{fd, POLLIN, 0};
    if (::poll(&waiting, 1, static_cast<int>(std::chrono::milliseconds{kStartTime}.count())) <= 0)
      return text + "\nsomebody still holds the pipe";
    const ssize_t count = ::read(fd, piece.data(), piece.size());
    if (count <= 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

/// The program's own, which would measure the disk first: seconds for each test.
bool measures(const std::vector<std::string>& words) {
  const auto asks = [](const std::string& word) { return word.find("probe=") != word.npos; };
  return words.front().ends_with("fairfs") && std::none_of(words.begin(), words.end(), asks);
}

[[noreturn]] void execute(std::vector<std::string>& words) {
  if (measures(words)) words.insert(words.end(), {"-o", "probe=off"});
  std::vector<char*> arguments;
  for (auto& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  ::_exit(127);
}

}  // namespace

std::string DaemonTest::program() {
  const char* const given = std::getenv("FAIRFS");
  return given != nullptr && *given != '\0' ? given : FAIRFS_BINARY;
}

void DaemonTest::SetUp() {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root: to mount";
  if (std::getenv("FAIRFS_NATIVE") != nullptr) GTEST_SKIP() << "the daemon itself is tested";
  if (::access("/dev/fuse", R_OK | W_OK) != 0) GTEST_SKIP() << "no /dev/fuse here";
  const char* const base = std::getenv("FAIRFS_TEST_DIR");
  std::string name = Path{base != nullptr && *base != '\0' ? base : "/var/tmp"} / "fairfs-daemon-XXXXXX";
  ASSERT_NE(::mkdtemp(name.data()), nullptr) << name;
  root_ = name;
  ::umask(022);
  ::chmod(name.c_str(), 0755);
  std::filesystem::create_directory(root_ / "source");
  std::filesystem::create_directory(root_ / "mount");
}

void DaemonTest::TearDown() {
  if (root_.empty()) return;
  // Innermost first: those mounted later stand further down.
  std::ifstream file{"/proc/self/mountinfo"};
  std::vector<std::string> mounts;
  for (std::string line; std::getline(file, line);) {
    const auto start = line.find(" " + root_.string() + "/");
    if (start != line.npos) mounts.push_back(line.substr(start + 1, line.find(' ', start + 1) - start - 1));
  }
  for (auto last = mounts.rbegin(); last != mounts.rend(); ++last) ::umount2(last->c_str(), MNT_DETACH);
  if (!is_mounted()) std::filesystem::remove_all(root_);
}

DaemonTest::Ended DaemonTest::run(std::vector<std::string> words, const std::function<void()>& prepare) const {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return {};
  const UniqueFd reading{ends[0]};
  UniqueFd writing{ends[1]};
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(writing.get(), STDOUT_FILENO);
    ::dup2(writing.get(), STDERR_FILENO);
    prepare();
    execute(words);
  }
  writing = UniqueFd{};
  Ended ended;
  ended.output = read_to_the_end(reading.get());
  ended.status = end_of(child, kStartTime);
  return ended;
}

DaemonTest::Ended DaemonTest::mount(const std::string& options) const {
  std::vector<std::string> words{program(), source(), mountpoint()};
  if (!options.empty()) words.insert(words.end(), {"-o", options});
  return run(std::move(words));
}

pid_t DaemonTest::mount_in_foreground(const std::string& options) const {
  std::vector<std::string> words{program(), source(), mountpoint(), "-f"};
  if (!options.empty()) words.insert(words.end(), {"-o", options});
  const pid_t child = ::fork();
  if (child == 0) {
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    ::dup2(null, STDERR_FILENO);
    execute(words);
  }
  struct stat status {};
  EXPECT_TRUE(eventually(kStartTime, [&] { return is_mounted() && ::stat(mountpoint().c_str(), &status) == 0; }));
  return child;
}

int DaemonTest::end_of(pid_t child, std::chrono::milliseconds limit) {
  int status = 0;
  if (!eventually(limit, [&] { return ::waitpid(child, &status, WNOHANG) == child; })) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string DaemonTest::mount_line(const Path& path) {
  std::ifstream mounts{"/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);)
    if (line.find(" " + path.string() + " ") != line.npos) return line;
  return {};
}

pid_t DaemonTest::daemon() const {
  for (const auto& entry : std::filesystem::directory_iterator{"/proc"}) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != name.npos) continue;
    std::ifstream file{entry.path() / "cmdline"};
    const std::string words{std::istreambuf_iterator<char>{file}, {}};
    if (words.find((root_ / "source").string()) != words.npos) return std::stoi(name);
  }
  return 0;
}

void few_descriptors() {
  const rlimit limit{kFewDescriptors, kFewDescriptors};
  if (::setrlimit(RLIMIT_NOFILE, &limit) != 0 || ::prctl(PR_CAPBSET_DROP, CAP_SYS_RESOURCE) != 0) ::_exit(126);
}

std::size_t descriptors_of(pid_t pid) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator{"/proc/" + std::to_string(pid) + "/fd"})
    ++count;
  return count;
}

}  // namespace fairfs::test
