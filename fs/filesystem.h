// The mounted filesystem: what the command line starts, waits for and ends.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "sched/engine/engine.h"

namespace fairfs::fs {

struct MountConfig {
  std::string source;             ///< absolute path of a directory
  std::string mountpoint;         ///< absolute path of a directory
  std::string fsname;             ///< what df shows; the source by default
  unsigned long mount_flags = 0;  ///< MS_* of mount(2): MS_NOSUID, MS_RDONLY, MS_NOATIME ...
  double entry_timeout_s = 1.0;   ///< how long the kernel trusts a name
  double attr_timeout_s = 1.0;    ///< how long the kernel trusts attributes
  /// Buffered writes are brought to the disk in their writers' turns, and wait while too much of theirs is dirty.
  /// False: the kernel's flusher does it, whenever and in whatever order it likes.
  bool write_behind = true;
  bool debug = false;             ///< log every request
  /// Whether a file system inside the source (the second st_dev) is known to lie on another disk than the source (the
  /// first): its files are served at once then, by threads of their own, so that neither disk waits for the other. Any
  /// thread; may read files; asked again now and then. Empty: none does.
  std::function<bool(dev_t, dev_t)> on_another_disk = {};
};

/// Takes away what a daemon that died left mounted at `mountpoint`: one mount of type fuse.fairfs that answers
/// ENOTCONN; another may lie below it. Anything else stays as it is. True when there was one. Throws std::system_error
/// naming the mountpoint. Waits for what does not answer.
bool clear_dead_mount(const std::string& mountpoint);

/// Constructed: source opened and kernel asked for the mount, nothing served yet. Throws std::system_error naming what
/// was done to which path. Not thread-safe but for `stop`.
class Filesystem {
 public:
  Filesystem(const MountConfig& config, engine::Engine& engine);
  /// Unmounts if it is still mounted.
  ~Filesystem();
  Filesystem(const Filesystem&) = delete;
  Filesystem& operator=(const Filesystem&) = delete;

  /// Serves until unmounted or stopped. `ready` is called once from another thread, when the mount answers. Returns 0,
  /// or an errno when the connection to the kernel broke.
  int serve(const std::function<void()>& ready);
  /// Ends `serve` after what is queued is finished, and unmounts. Async-signal-safe, any thread.
  void stop() noexcept;
  /// Cuts the connection to the kernel: whoever waits for an answer gets ENOTCONN at once. For the end of a process
  /// that a stuck disk keeps: its last thread, and with it what is open, goes only when the disk comes back. Any
  /// thread; nothing else may be called any more.
  static void abandon() noexcept;
  /// Memory of writes that have been received and wait with their payload, 256 MiB at most. Any thread.
  [[nodiscard]] static std::uint64_t held_bytes() noexcept;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairfs::fs
