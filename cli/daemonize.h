// From a command of a shell to a process of its own.
#pragma once

#include <string>
#include <string_view>

#include "cli/unique_fd.h"

namespace fairfs::cli {

/// Opens /dev/null on those of the descriptors 0 to 2 that are closed. First thing in main: otherwise the first file
/// opened becomes standard error, and a message is written into it.
void hold_standard_descriptors();

/// Raises the limit of open files: to a million or what the system allows (fs.nr_open) where fairfs may, else to the
/// hard limit. Each open file of a caller takes one of ours, and so do the inodes the kernel knows.
void raise_file_limit();

/// Best effort, each only where the process has the right. The kernel may wait for us to free memory, so it must
/// neither make us wait for that (PR_SET_IO_FLUSHER, inherited by threads: call before any) nor choose us to be killed,
/// which would take the files away from all who use the mount.
void protect_from_memory_pressure() noexcept;

/// Lets all threads allocate from as few pools as there are processors. glibc would make up to eight times as many, and
/// what is free in one is no use to the next: after half an hour the process held as much again as it had in use. Call
/// before any thread; never fails.
void share_allocator_pools() noexcept;

/// The process that was started waits here for its child's word.
class Background {
 public:
  /// Forks; call before there is any thread. Returns in the child, which is then leader of a new session, in /, with
  /// /dev/null on descriptors 0 to 2. The parent never returns: it exits with 0 when the child called `ready`,
  /// otherwise with 1, after the child's line (or how the child ended) on stderr. Throws std::system_error when fork
  /// fails.
  explicit Background(std::string_view mountpoint);

  /// Any thread; the second call of either does nothing.
  void ready();
  void fail(std::string_view line);

 private:
  void say(std::string_view word);
  UniqueFd pipe_;
};

/// What the parent makes of the child's words: exit status and the line to print (empty: none).
struct Verdict {
  int exit_status;
  std::string line;
};
/// `words` is all that came through the pipe, `wait_status` waitpid's.
[[nodiscard]] Verdict judge(std::string_view words, int wait_status, std::string_view mountpoint);

}  // namespace fairfs::cli
