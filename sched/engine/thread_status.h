// The lines of /proc/<tid>/status that matter here.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string_view>

namespace fairfs::engine {

struct ThreadStatus {
  pid_t process = 0;  ///< Tgid
  uid_t uid = 0;      ///< effective
  gid_t gid = 0;      ///< effective
  unsigned threads = 0;
  bool kernel_thread = false;
  bool has_memory = false;    ///< false once the address space is given up, on the way out
  bool kill_pending = false;  ///< SIGKILL in SigPnd or ShdPnd
};

/// Nothing when `text` is not such a file.
[[nodiscard]] std::optional<ThreadStatus> parse_status(std::string_view text);

}  // namespace fairfs::engine
