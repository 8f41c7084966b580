// One request on its way through the scheduler: what it costs, how to do it, how to answer it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>

#include "sched/types.h"

struct iocb;

namespace fairfs::engine {

/// Opaque outside the engine: whose work it is.
struct Flow;
using FlowRef = std::shared_ptr<Flow>;

/// Who asks, as the FUSE header says it: `thread` is a thread id in our pid namespace, 0 when the kernel asks for
/// itself (write-back) or for somebody we can't see.
struct Caller {
  pid_t thread = 0;
  uid_t uid = 0;
  gid_t gid = 0;
};

/// The filesystem derives one class for each kind of data request. Owned by the engine from `submit` until it has
/// called `finish`, then destroyed by the engine. Virtual calls come without any engine lock held, from any thread.
class Job {
 public:
  Job() = default;
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;
  virtual ~Job() = default;

  Caller caller;
  sched::Operation operation{};
  std::uint64_t inode = 0;   ///< equal for equal files of the mount
  std::uint64_t number = 0;  ///< the file's inode number on its file system, for who reads a trace
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t bytes = 0;
  bool bounded_wait = false;  ///< see sched::Request
  bool buffered = false;      ///< see sched::Request; counted as written behind, since its bytes were counted before
  /// Whose turn it takes instead of the caller's; it is then finished whatever becomes of the caller.
  FlowRef flow;
  /// When its caller began to wait, if that was before `submit`: a flush that had to write first.
  sched::Time since{};

  /// Does the work on the calling thread; may block. Bytes done or -errno.
  [[nodiscard]] virtual ssize_t run() noexcept = 0;
  /// The same work as an asynchronous one: fills `block` (except its data field) and answers true; false when only
  /// `run` will do. Called at most once, and then `run` is not, unless libaio refuses the block.
  [[nodiscard]] virtual bool prepare(iocb& block) noexcept {
    (void)block;
    return false;
  }
  /// Answers the caller: bytes done or -errno (-EINTR: the caller was killed while it waited). Exactly once. Must not
  /// block.
  virtual void finish(ssize_t result) noexcept = 0;
};

}  // namespace fairfs::engine
