// One trial of the probe: a pattern of requests kept up for a moment, and what came of it.
#pragma once

#include <compare>
#include <cstdint>

#include "sched/types.h"

namespace fairfs::probe {

using sched::Duration;
using sched::Operation;
using sched::Time;

/// What is asked of the disk. Equal trials of different rounds are samples of one quantity.
struct Trial {
  Operation operation = Operation::read;  ///< sync: a 4 KiB write, then a flush, whose time alone is counted
  /// 0: each request lies anywhere. k: k sequential streams spread over the span, each with depth / k in flight.
  std::uint32_t streams = 0;
  std::uint32_t depth = 1;  ///< requests in flight, 1..kDepthMax
  std::uint64_t bytes = 4096;

  auto operator<=>(const Trial&) const = default;
};

/// Deepest queue that is tried: more than a SATA disk (32) or most flash is ever given.
inline constexpr std::uint32_t kDepthMax = 128;
/// Longest request.
inline constexpr std::uint64_t kBytesMax = 1024 * 1024;

/// When a trial has seen enough: after `completions` and `least`, or after `most`.
struct TrialLimits {
  std::uint32_t completions = 120;
  Duration least{};
  Duration most{};
};

struct TrialResult {
  std::uint32_t completions = 0;  ///< of the steady state, without the first `depth`
  Duration elapsed{};             ///< that they took
  Duration latency{};             ///< what requests spent in the disk during that, added up
  Duration took{};                ///< all of the trial
  int error = 0;                  ///< errno of a request that failed, 0 when all went well
  /// False when fewer bytes came from the device than were asked for: memory, holes or compressed data answered.
  bool from_device = true;

  /// Requests a second; 0 when there is nothing to divide.
  [[nodiscard]] double rate() const {
    return elapsed > Duration::zero() ? completions / std::chrono::duration<double>(elapsed).count() : 0;
  }
  /// Mean number in flight; by Little's law that is rate x mean latency. Below the trial's depth by as much as the
  /// program, not the disk, was what requests waited for.
  [[nodiscard]] double in_flight() const {
    return elapsed > Duration::zero() ? static_cast<double>(latency.count()) / static_cast<double>(elapsed.count()) : 0;
  }
};

}  // namespace fairfs::probe
