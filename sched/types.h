// The words every layer shares: time, and the ids and weights of the scheduler's tree.
#pragma once

#include <chrono>
#include <cstdint>

namespace fairfs::sched {

using Duration = std::chrono::nanoseconds;

/// Where Time starts: some moment before the program, never going back (CLOCK_MONOTONIC in the daemon, 0 in the
/// simulator). The core never asks what time it is; it is told.
struct Epoch {
  using duration = Duration;
  using rep = duration::rep;
  using period = duration::period;
  static constexpr bool is_steady = true;
};
using Time = std::chrono::time_point<Epoch, Duration>;
inline constexpr Time kNever = Time::max();

/// A node of the tree of shares: a group (a cgroup, a named flow) or a flow (a leaf that requests wait in).
/// Ids are reused after `remove`.
enum class NodeId : std::uint32_t {};
inline constexpr NodeId kRoot{0};

/// A request the core holds, from `submit` to `complete` or `cancel`. Reused afterwards.
enum class RequestId : std::uint32_t {};

/// 1..10000, relative to the siblings' (cgroup v2's io.weight has the same range and default).
using Weight = std::uint16_t;
inline constexpr Weight kWeightMin = 1, kWeightDefault = 100, kWeightMax = 10000;

/// Looked at before any weight: real-time before best-effort before idle.
enum class ServiceClass : std::uint8_t { realtime, best_effort, idle };
inline constexpr unsigned kClasses = 3;

enum class Operation : std::uint8_t { read, write, sync };

}  // namespace fairfs::sched
