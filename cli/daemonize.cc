#include "cli/daemonize.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <system_error>
#include <thread>

#include "cli/failure.h"

namespace fairfs::cli {
namespace {

constexpr std::string_view kReady{"\0", 1};

/// Descriptors that fairfs asks for where it may: the kernel's own default of the most. What a system allows beyond may
/// be a thousand times that, and each open file costs the daemon and the kernel a KiB or two.
constexpr rlim_t kFilesMost = 1 << 20;

/// Until the child says it is ready or the pipe closes.
std::string listen(int descriptor) {
  std::string words;
  std::array<char, 512> buffer{};
  while (words != kReady) {
    const ssize_t count = read(descriptor, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    words.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return words;
}

[[noreturn]] void wait_for(pid_t child, int descriptor, std::string_view mountpoint) {
  const std::string words = listen(descriptor);
  int status = 0;
  if (words != kReady) {
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
  }
  const Verdict verdict = judge(words, status, mountpoint);
  if (!verdict.line.empty()) std::fprintf(stderr, "fairfs: %s\n", verdict.line.c_str());
  std::fflush(stderr);
  _exit(verdict.exit_status);  // the child's copies of the streams' buffers and exit handlers are the child's
}

void detach() {
  setsid();
  if (chdir("/") != 0) throw std::system_error{errno, std::generic_category(), "chdir /"};
  const UniqueFd null{open("/dev/null", O_RDWR | O_CLOEXEC)};
  if (!null) throw std::system_error{errno, std::generic_category(), "open /dev/null"};
  for (int standard = 0; standard <= 2; ++standard) dup2(null.get(), standard);
}

}  // namespace

void hold_standard_descriptors() {
  for (int standard = 0; standard <= 2; ++standard) {
    // open takes the lowest free number, which is this one.
    if (fcntl(standard, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != standard) _exit(kExitFailed);
  }
}

void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return;
  std::ifstream file{"/proc/sys/fs/nr_open"};
  rlim_t wanted = kFilesMost;
  if (rlim_t system_most = 0; file >> system_most) wanted = std::min(wanted, system_most);
  if (limit.rlim_cur >= wanted) return;
  const rlimit raised{wanted, std::max(wanted, limit.rlim_max)};
  if (setrlimit(RLIMIT_NOFILE, &raised) == 0) return;
  limit.rlim_cur = limit.rlim_max;  // no right to more
  setrlimit(RLIMIT_NOFILE, &limit);
}

void protect_from_memory_pressure() noexcept {
  // As for other daemons that hold a filesystem up: above what nobody kills at any price (-1000).
  constexpr std::string_view kScore = "-990";
  const UniqueFd score{open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC)};
  if (score && write(score.get(), kScore.data(), kScore.size()) < 0) return;  // no right: the next has less
  prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);
}

void share_allocator_pools() noexcept {
  ::mallopt(M_ARENA_MAX, static_cast<int>(std::max(1U, std::thread::hardware_concurrency())));
}

Background::Background(std::string_view mountpoint) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::system_error{errno, std::generic_category(), "pipe"};
  UniqueFd reading{ends[0]};
  pipe_ = UniqueFd{ends[1]};
  const pid_t child = fork();
  if (child < 0) throw std::system_error{errno, std::generic_category(), "fork"};
  if (child > 0) {
    pipe_.reset();
    wait_for(child, reading.get(), mountpoint);
  }
  reading.reset();
  detach();
}

void Background::say(std::string_view word) {
  while (pipe_ && !word.empty()) {
    const ssize_t count = write(pipe_.get(), word.data(), word.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;  // the parent was killed: nobody to tell
    word.remove_prefix(static_cast<std::size_t>(count));
  }
  pipe_.reset();
}

void Background::ready() { say(kReady); }
void Background::fail(std::string_view line) { say(line); }

Verdict judge(std::string_view words, int wait_status, std::string_view mountpoint) {
  if (words == kReady) return {0, {}};
  if (!words.empty()) return {kExitFailed, std::string{words}};
  std::string end = "the background process ended before the mount answered";
  if (WIFSIGNALED(wait_status)) {
    end = "the background process was ended by signal " + std::to_string(WTERMSIG(wait_status)) +
          " before the mount answered";
  }
  return {kExitFailed, failed("mount", mountpoint, end, "start it with -d to see more").what()};
}

}  // namespace fairfs::cli
