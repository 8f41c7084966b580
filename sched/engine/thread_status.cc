#include "sched/engine/thread_status.h"

#include <charconv>
#include <csignal>
#include <cstdint>

#include "sched/engine/file.h"

namespace fairfs::engine {
namespace {

constexpr std::uint64_t kKillBit = std::uint64_t{1} << (SIGKILL - 1);
constexpr pid_t kKernelThreadParent = 2;  // kthreadd; kernels before 6.8 have no Kthread line

template <typename Number>
Number number(std::string_view& text, int base = 10) {
  const std::string_view word = take_word(text);
  Number value{};
  std::from_chars(word.data(), word.data() + word.size(), value, base);
  return value;
}

}  // namespace

std::optional<ThreadStatus> parse_status(std::string_view text) {
  ThreadStatus status;
  while (!text.empty()) {
    std::string_view line = take_line(text);
    const std::string_view key = take_word(line);
    if (key == "Tgid:") {
      status.process = number<pid_t>(line);
    } else if (key == "PPid:") {
      status.kernel_thread = number<pid_t>(line) == kKernelThreadParent;
    } else if (key == "Uid:") {
      number<uid_t>(line);  // the real one
      status.uid = number<uid_t>(line);
    } else if (key == "Gid:") {
      number<gid_t>(line);
      status.gid = number<gid_t>(line);
    } else if (key == "Kthread:") {
      status.kernel_thread = status.kernel_thread || number<int>(line) == 1;
    } else if (key == "VmSize:") {
      status.has_memory = true;
    } else if (key == "Threads:") {
      status.threads = number<unsigned>(line);
    } else if (key == "SigPnd:" || key == "ShdPnd:") {
      status.kill_pending = status.kill_pending || (number<std::uint64_t>(line, 16) & kKillBit) != 0;
    }
  }
  if (status.process == 0) return std::nullopt;
  return status;
}

}  // namespace fairfs::engine
