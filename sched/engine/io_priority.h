// What ionice (or nice) says of a thread.
#pragma once

#include <sys/types.h>

#include "sched/types.h"

namespace fairfs::engine {

struct IoPriority {
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  unsigned level = kLevelDefault;  ///< 0 (most) to 7

  static constexpr unsigned kLevelDefault = 4, kLevels = 8;
  bool operator==(const IoPriority&) const = default;
};

/// ioprio_get(2) of the thread. Where nothing was set it follows from the processor's, as in the kernel: SCHED_IDLE is
/// idle, SCHED_FIFO and SCHED_RR are real-time, anything else best-effort; level (nice + 20) / 5. A thread that can't
/// be asked has the default. Three system calls at most.
[[nodiscard]] IoPriority io_priority_of(pid_t thread);

/// The weight of a level: (8 - level) / 4 of it, BFQ's proportions. Level 4 changes nothing, 0 doubles, 7 quarters.
[[nodiscard]] sched::Weight scaled(sched::Weight weight, unsigned level);

/// io_priority_of's arithmetic: `set` as ioprio_get answers, `policy` as sched_getscheduler.
[[nodiscard]] IoPriority priority_from(int set, int policy, int nice);

}  // namespace fairfs::engine
