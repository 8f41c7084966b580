// What happened between two readings: pure arithmetic, the one source of the table and of the JSON.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "cli/stat_protocol.h"
#include "cli/weights_verdict.h"
#include "sched/engine/snapshot.h"

namespace fairfs::cli {

struct FlowView {
  std::uint64_t key = 0;  ///< equal keys in two intervals are the same flow
  std::string name, command;
  pid_t pid = 0;
  bool ended = false;  ///< its process has: it stays for the 10 s that any flow does
  std::string cgroup;
  uid_t uid = 0;
  std::int32_t group = -1;  ///< its parent among IntervalView::groups, -1 for the root
  sched::Weight weight = sched::kWeightDefault;
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  bool overridden = false;              ///< weight or class were set while running
  double share_due = 0, share_got = 0;  ///< fractions of the device time of the interval
  double backlogged = 0;                ///< part of the interval with requests waiting
  bool demand_limited = false;          ///< got less than due because it did not keep a backlog
  double read_bytes_per_s = 0, write_bytes_per_s = 0;
  double reads_per_s = 0, writes_per_s = 0, fsyncs_per_s = 0, cached_per_s = 0, metadata_per_s = 0;
  std::uint32_t queued = 0, in_flight = 0;           ///< now
  std::uint64_t dirty_bytes = 0, writing_bytes = 0;  ///< now; the latter are on their way to the disk
  double written_behind_bytes_per_s = 0;             ///< of buffered writes, to the disk
  double throttled = 0;  ///< time that its writes waited for that, added up, over the interval
  double starved = 0;    ///< part of the interval with requests waiting and none started, beyond a first second
  double fsync_us_p50 = 0, fsync_us_p99 = 0, fsync_us_max = 0;
  double wait_us_p50 = 0, wait_us_p99 = 0, service_us_p50 = 0, service_us_p99 = 0;
};

/// Its name for a table: "fio[1234]", or "fio[ended]".
[[nodiscard]] std::string label_of(const FlowView& flow);

/// A node between the root and the flows.
using GroupView = engine::GroupReading;

struct IntervalView {
  StatAbout about;  ///< filled in by the caller, as `state`
  StatState state;
  double interval_s = 0;
  std::uint32_t depth = 0, in_flight = 0, queued = 0;
  double device_use = 0;   ///< fraction of the interval with at least one request in the disk
  double slowness = 1;     ///< times as long as the disk's profile says
  double decision_ns = 0;  ///< mean
  bool weights_in_force = false;
  std::string reason;                                ///< why, or why not, in words
  std::uint64_t dirty_bytes = 0, writing_bytes = 0;  ///< of all flows
  double fsync_us_p99 = 0;                           ///< of all flows' fsyncs together
  std::vector<GroupView> groups;
  std::vector<FlowView> flows;
};

/// Less than due by more than this part counts as less: 5 % is the fairness that is promised.
inline constexpr double kShareTolerance = 0.05;

/// "in force: 2 flows backlogged", "not in force: idle".
[[nodiscard]] std::string weights_words(const IntervalView& interval);

/// `before` and `after` are readings of one daemon, in this order; a flow that is only in `after` is new since
/// `before`. `scheduling` is false with sched=off.
[[nodiscard]] IntervalView view(const engine::Snapshot& before, const engine::Snapshot& after, bool scheduling);

}  // namespace fairfs::cli
