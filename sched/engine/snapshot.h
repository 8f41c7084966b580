// A reading of everything the daemon knows of its flows at one moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

#include "sched/stats.h"
#include "sched/types.h"

namespace fairfs::engine {

struct FlowReading {
  std::uint64_t key = 0;  ///< never reused: equal keys in two snapshots are the same flow
  std::string name;       ///< for people: "fio[1234]", or the flow's name from the rules, or "(kernel)", "(unknown)"
  std::string command;    ///< comm alone
  pid_t pid = 0;          ///< of the process, 0 when there is none
  std::string cgroup;     ///< "/" for the root
  uid_t uid = 0;
  sched::Weight weight = sched::kWeightDefault;  ///< of the leaf among its siblings
  /// Product of weight / sum of active siblings' weights up the tree, over the last full second. 0 when it wasn't
  /// active.
  double share_due = 0;
  std::uint32_t queued = 0, in_flight = 0;
  std::uint64_t dirty_bytes = 0;    ///< written and not yet on the disk
  std::uint64_t writing_bytes = 0;  ///< of these, on their way to it
  sched::FlowCounters counters;
};

struct Snapshot {
  sched::Time taken{};
  std::uint32_t depth = 0, in_flight = 0, queued = 0;
  double slowness = 1;              ///< of the disk, against its profile: sched/cost_correction.h
  sched::Duration device_busy{};    ///< cumulative time with at least one request in the disk
  sched::Duration device_time{};    ///< cumulative, charged to all flows
  std::uint64_t decisions = 0;      ///< cumulative calls of next that dispatched
  sched::Duration decision_time{};  ///< cumulative time spent in them
  std::vector<FlowReading> flows;   ///< active in the last 10 s
};

}  // namespace fairfs::engine
