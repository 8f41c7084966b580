#include "sched/engine/process_table.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <climits>
#include <csignal>
#include <cstdio>
#include <optional>
#include <system_error>

#include "sched/engine/cgroup_path.h"
#include "sched/engine/thread_status.h"

namespace fairfs::engine {
namespace {

// A cgroup path alone may have PATH_MAX bytes, and there is a line for each of some twelve v1 hierarchies.
constexpr std::size_t kTextMax = 4 * PATH_MAX;
using Text = std::array<char, kTextMax>;

struct Path {
  char text[48];  // "<pid>/status": ten digits and a name
  Path(pid_t id, const char* file) { std::snprintf(text, sizeof text, "%d/%s", id, file); }
};

std::optional<ThreadStatus> read_status(int directory, pid_t thread) {
  Text buffer;
  return parse_status(read_text(directory, Path{thread, "status"}.text, buffer));
}

// "pid (comm) state ...": comm may hold blanks and parentheses, so it ends at the last one. Field 22 is the start time.
void read_stat(int directory, Process& process) {
  Text buffer;
  const std::string_view text = read_text(directory, Path{process.pid, "stat"}.text, buffer);
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return;
  process.command = text.substr(open + 1, close - open - 1);
  std::string_view rest = text.substr(close + 1);
  constexpr int kFirstFieldAfterCommand = 3, kStartTimeField = 22;
  for (int field = kFirstFieldAfterCommand; field < kStartTimeField; ++field) take_word(rest);
  const std::string_view start = take_word(rest);
  std::from_chars(start.data(), start.data() + start.size(), process.start_time);
}

}  // namespace

Process nobody(Process::Kind kind) {
  Process process;
  process.kind = kind;
  process.command = kind == Process::Kind::kernel ? "(kernel)" : "(unknown)";
  return process;
}

ProcDirectory::ProcDirectory(const char* path) : directory_(::open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (!directory_) throw std::system_error(errno, std::generic_category(), std::string("opening ") + path);
}

Process ProcDirectory::find(pid_t thread) const {
  if (thread == 0) return nobody(Process::Kind::kernel);
  const std::optional<ThreadStatus> status = read_status(directory_.get(), thread);
  if (!status) return nobody(Process::Kind::unknown);
  Process process;
  process.pid = status->process;
  process.uid = status->uid;
  process.gid = status->gid;
  read_stat(directory_.get(), process);
  if (process.command.empty()) return nobody(Process::Kind::unknown);
  process.priority = io_priority_of(thread);
  Text buffer;
  process.cgroup = cgroup_of(read_text(directory_.get(), Path{thread, "cgroup"}.text, buffer));
  return process;
}

std::string ProcDirectory::executable(pid_t pid) const {
  std::array<char, PATH_MAX> buffer;
  const ssize_t length = ::readlinkat(directory_.get(), Path{pid, "exe"}.text, buffer.data(), buffer.size());
  return length < 0 ? std::string{} : std::string(buffer.data(), static_cast<std::size_t>(length));
}

bool ProcDirectory::exists(pid_t pid) const {
  return ::kill(pid, 0) == 0 || errno != ESRCH;  // no file is looked at: it is asked of every flow
}

bool ProcDirectory::dying(pid_t thread, pid_t process) const {
  const std::optional<ThreadStatus> status = read_status(directory_.get(), thread);
  if (!status) return process != 0 && (thread == process || dying(process, process));
  if (status->kill_pending) return true;
  // The last thread of a process waits for its asynchronous I/O after it gave up its memory. Kernel threads never had
  // any.
  return !status->has_memory && !status->kernel_thread && status->threads <= 1;
}

}  // namespace fairfs::engine
