// What the administrator wrote about who weighs what: plain data, made by the command line, read by the flow map.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sched/limits.h"
#include "sched/types.h"

namespace fairfs::engine {

/// Which nodes stand between the root and a flow.
enum class Grouping : std::uint8_t {
  cgroup,   ///< the cgroup tree, then the process
  process,  ///< the process alone
  uid       ///< the user, then the process
};

/// One [[rule]]. All keys that are given must match. With none but `cgroup` it weighs that node of the cgroup tree;
/// with a process key it weighs the process within its parent; with `flow` it lifts what matches out into one top-level
/// flow.
struct WeightRule {
  std::optional<std::string> cgroup;   ///< absolute path, or glob in which * and ? stop at '/'
  std::optional<std::string> command;  ///< comm (15 bytes, as the kernel cuts it)
  std::optional<std::string> exe;      ///< absolute path
  std::optional<uid_t> user;
  std::optional<gid_t> group;
  std::optional<pid_t> pid;  ///< of the process
  /// With `pid`: of the process that started then (Process::start_time) and not of a later one of that number.
  std::optional<std::uint64_t> start_time;
  std::optional<std::string> flow;  ///< name of the top-level flow
  sched::Weight weight = sched::kWeightDefault;
  bool weighs = true;  ///< false: gives a class and no weight
  /// Instead of ionice's, for the processes that the rule is for; with none but `cgroup`, for those in it and below.
  std::optional<sched::ServiceClass> service;
  /// Floors, ceilings and latency of the node that the rule weighs, or would weigh.
  sched::Limits limits;
  bool overrides = false;  ///< was made, or changed, while running
  std::uint32_t line = 0;  ///< where it stands in its file, for people; 0: in none

  [[nodiscard]] bool names_process() const { return command || exe || user || group || pid; }
};

/// The whole file. First match wins, for each level of the tree by itself.
struct WeightRules {
  sched::Weight default_weight = sched::kWeightDefault;
  std::vector<WeightRule> rules;
};

}  // namespace fairfs::engine
