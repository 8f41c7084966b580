// Who a thread id belongs to, as /proc tells it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>

#include "sched/engine/file.h"
#include "sched/engine/io_priority.h"

namespace fairfs::engine {

/// What is known of a caller. (pid, start_time) identifies a process for as long as the machine runs; pids alone are
/// reused.
struct Process {
  enum class Kind : std::uint8_t {
    process,
    kernel,  ///< the kernel itself, or somebody whom our pid namespace can't see
    unknown  ///< gone before we could look
  } kind = Kind::process;
  pid_t pid = 0;                 ///< the thread group's, 0 unless kind is `process`
  std::uint64_t start_time = 0;  ///< of the thread group, in the kernel's clock ticks since boot
  std::string command;           ///< comm of the process: at most 15 bytes
  std::string cgroup = "/";      ///< v1 blkio path where that hierarchy exists, else the v2 path
  std::string executable;        ///< absolute path, only filled where a rule needs it
  uid_t uid = 0;                 ///< effective
  gid_t gid = 0;                 ///< effective
  IoPriority priority;           ///< of the thread that asked
};

/// The seam to /proc. Thread-safe.
class ProcessTable {
 public:
  virtual ~ProcessTable() = default;
  /// Never fails: thread 0 is "(kernel)", one that can't be found "(unknown)".
  [[nodiscard]] virtual Process find(pid_t thread) const = 0;
  /// Target of the process's exe link; empty when it can't be read.
  [[nodiscard]] virtual std::string executable(pid_t pid) const = 0;
  /// There is such a process, if only as one whose parent has not yet asked how it ended. Cheap: one system call.
  [[nodiscard]] virtual bool exists(pid_t pid) const = 0;
  /// The thread has SIGKILL pending, or its process has ended: nobody is left who wants the answer. A thread that ended
  /// while its process lives may have left asynchronous I/O that others wait for: not dying, and no more so if
  /// `process` is 0 because it isn't known.
  [[nodiscard]] virtual bool dying(pid_t thread, pid_t process) const = 0;
};

/// The real one. Asks the kernel for the thread's priority; reads status, stat and cgroup and nothing else: cmdline and
/// maps take the target's mmap lock, and the target may hold that while it waits for us.
class ProcDirectory final : public ProcessTable {
 public:
  /// Opens and keeps `path`. Throws std::system_error naming it.
  explicit ProcDirectory(const char* path);

  [[nodiscard]] Process find(pid_t thread) const override;
  [[nodiscard]] std::string executable(pid_t pid) const override;
  [[nodiscard]] bool exists(pid_t pid) const override;
  [[nodiscard]] bool dying(pid_t thread, pid_t process) const override;

 private:
  FileDescriptor directory_;
};

/// A process with nothing but its kind and the name that people are shown for it.
[[nodiscard]] Process nobody(Process::Kind kind);

}  // namespace fairfs::engine
