// A reading of everything the daemon knows of its flows at one moment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sched/stats.h"
#include "sched/types.h"

namespace fairfs::engine {

enum class GroupKind : std::uint8_t {
  cgroup,
  /// The processes directly in a cgroup, who compete with the child cgroups as one. There in every cgroup: where there
  /// are no children it is alone and changes nothing, and nothing has to move when the first child comes.
  processes_here,
  user
};

/// A node between the root and the flows.
struct GroupReading {
  GroupKind kind{};
  std::string cgroup;  ///< path, for the first two kinds
  uid_t user = 0;
  std::int32_t parent = -1;  ///< place among Snapshot::groups, -1 for the root
  sched::Weight weight = sched::kWeightDefault;
  bool overridden = false;  ///< its weight comes from a change made while running
};

struct FlowReading {
  std::uint64_t key = 0;  ///< never reused: equal keys in two snapshots are the same flow
  std::string name;       ///< for people: "fio[1234]", or the flow's name from the rules, or "(kernel)", "(unknown)"
  std::string command;    ///< comm alone
  pid_t pid = 0;          ///< of the process, 0 when there is none
  std::string cgroup;     ///< "/" for the root
  bool ended = false;     ///< its process has
  uid_t uid = 0;
  std::int32_t group = -1;                       ///< its parent among Snapshot::groups, -1 for the root
  sched::Weight weight = sched::kWeightDefault;  ///< of the leaf among its siblings
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  bool overridden = false;  ///< weight or class come from a change made while running
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
  std::vector<GroupReading> groups;
  /// Active in the last 10 s. The daemon's own looks at its mount (whether it answers; weights that lie below it) are
  /// left out.
  std::vector<FlowReading> flows;
};

/// A reading that several look at. Never null.
using SharedSnapshot = std::shared_ptr<const Snapshot>;

}  // namespace fairfs::engine
