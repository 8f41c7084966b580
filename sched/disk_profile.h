// What is known of the disk: how much it does at once and how long each kind of request occupies it.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Coefficients of the linear cost model (Linux blk-iocost's): device time = base + bytes / bandwidth.
struct CostCoefficients {
  Duration base_sequential{};     ///< fixed part when the request continues the flow's last one
  Duration base_random{};         ///< fixed part otherwise
  std::uint64_t bytes_per_s = 1;  ///< > 0
};

/// Plain data, copied freely. `depth` and the cost coefficients are what the scheduler uses today.
struct DiskProfile {
  /// Requests worth having in the disk at once (the knee of throughput over depth): the scheduler's slots, 1..1024.
  std::uint32_t depth = 16;
  /// Throughput at the knee over throughput at depth 1, > 0: how many requests the disk serves in the time of one.
  double parallelism = 8.0;
  CostCoefficients read{std::chrono::microseconds{20}, std::chrono::microseconds{100}, 500'000'000};
  CostCoefficients write{std::chrono::microseconds{20}, std::chrono::microseconds{60}, 400'000'000};
  /// Device time charged for a flush.
  Duration sync{std::chrono::milliseconds{2}};
};

}  // namespace fairfs::sched
