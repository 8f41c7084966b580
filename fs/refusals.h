// What the log says when callers can't have any more open files.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>

#include "fs/handle_budget.h"

namespace fairfs::fs {

/// One line for the first refusal, then one a minute at most, which counts those before it: who was refused and what to
/// do. Thread-safe.
class Refusals {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::minutes kSilence{1};

  /// The line to log now, if any. `budget` has refused thread `thread` of `user`; `descriptors`: the process's limit.
  [[nodiscard]] std::optional<std::string> refused(const HandleBudget& budget, uid_t user, pid_t thread,
                                                   std::size_t descriptors, Time now);

 private:
  std::mutex mutex_;
  // Guarded by mutex_.
  std::optional<Time> told_;
  unsigned long untold_ = 0;
};

}  // namespace fairfs::fs
