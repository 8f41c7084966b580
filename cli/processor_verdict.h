// Are the processors the limit, and not the disk?
#pragma once

#include <optional>

#include "sched/engine/snapshot.h"

namespace fairfs::cli {

/// From here on the processors are full: whoever wants one waits for it.
inline constexpr double kProcessorsFull = 0.9;

struct MachineLoad {
  double processor_use = 0;          ///< 0..1, of all processors
  std::optional<double> disk_queue;  ///< requests in the disk at a time by the kernel's own count, where it is known
};

/// Pure. Where the processors are full and requests wait while the disk has less than half of what it takes at once, it
/// is the processors that programs and daemon wait for. Then whoever gets one first is served, and weights hold less
/// well. Two flows at least want the disk: a single one has no weight to be held. `before` and `after` are readings of
/// one daemon about a second apart, in this order.
[[nodiscard]] bool processors_are_the_limit(const engine::Snapshot& before, const engine::Snapshot& after,
                                            const MachineLoad& load);

}  // namespace fairfs::cli
