// What happened between two readings: pure arithmetic, the one source of the table and of the JSON.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sched/engine/snapshot.h"

namespace fairfs::cli {

struct FlowView {
  std::string name, command;
  pid_t pid = 0;
  std::string cgroup;
  uid_t uid = 0;
  sched::Weight weight = sched::kWeightDefault;
  double share_due = 0, share_got = 0;  ///< fractions of the device time of the interval
  bool demand_limited = false;          ///< got less than due because it did not keep a backlog
  double read_bytes_per_s = 0, write_bytes_per_s = 0;
  double reads_per_s = 0, writes_per_s = 0, fsyncs_per_s = 0, cached_per_s = 0, metadata_per_s = 0;
  std::uint32_t queued = 0;
  std::uint64_t dirty_bytes = 0, writing_bytes = 0;  ///< now; the latter are on their way to the disk
  double written_behind_bytes_per_s = 0;             ///< of buffered writes, to the disk
  double throttled = 0;  ///< time that its writes waited for that, added up, over the interval
  double fsync_us_p50 = 0, fsync_us_p99 = 0, fsync_us_max = 0;
  double wait_us_p50 = 0, wait_us_p99 = 0, service_us_p50 = 0, service_us_p99 = 0;
};

struct IntervalView {
  std::string version, mountpoint, source;  ///< filled in by the caller
  double interval_s = 0;
  std::uint32_t depth = 0, in_flight = 0;
  double device_use = 0;   ///< fraction of the interval with at least one request in the disk
  double slowness = 1;     ///< times as long as the disk's profile says
  double decision_ns = 0;  ///< mean
  bool weights_in_force = false;
  std::string reason;  ///< why, or why not, in words
  std::vector<FlowView> flows;
};

/// A flow that had requests waiting for at least this part of the interval kept a backlog: the scheduler, not the flow,
/// decided what it got. Half: a flow that is backlogged in fewer moments than not is held by itself.
inline constexpr double kBacklogged = 0.5;
/// Less than due by more than this part counts as less: 5 % is the fairness that is promised.
inline constexpr double kShareTolerance = 0.05;

/// `before` and `after` are readings of one daemon, in this order; a flow that is only in `after` is new since
/// `before`. `scheduling` is false with sched=off.
[[nodiscard]] IntervalView view(const engine::Snapshot& before, const engine::Snapshot& after, bool scheduling);

}  // namespace fairfs::cli
