// Why a process weighs what it weighs: each node from the root down, and which rule or file decided.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sched/engine/process_table.h"
#include "sched/engine/snapshot.h"
#include "sched/engine/weight_rules.h"

namespace fairfs::engine {

/// Where a weight or a class comes from.
struct Origin {
  enum class Kind : std::uint8_t {
    rule,            ///< `rule` says which
    cgroup_file,     ///< io.weight or its like of the cgroup
    default_weight,  ///< nothing says anything about it
    fixed,           ///< processes directly in a cgroup weigh 100 together
    priority         ///< of a class: ionice, or nice where nothing was set
  } kind = Kind::default_weight;
  std::optional<WeightRule> rule;
};

struct Explanation {
  Process process;      ///< kind unknown: there is no such process
  std::string name;     ///< of its flow
  bool shared = false;  ///< a named flow, which others may be in too
  struct Level {
    GroupKind kind{};
    std::string cgroup;
    uid_t user = 0;
    sched::Weight weight = sched::kWeightDefault;
    Origin origin;
    sched::Limits limits = {};
    Origin limits_origin = {};  ///< where there are limits
  };
  std::vector<Level> levels;                       ///< from the top down
  sched::Weight weight = sched::kWeightDefault;    ///< of the flow among its siblings
  sched::Weight unscaled = sched::kWeightDefault;  ///< before ionice's level counted
  Origin weight_origin;
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  Origin class_origin;
  sched::Limits limits;  ///< of the flow
  Origin limits_origin;  ///< where there are limits
  std::vector<std::uint64_t>
      flows;  ///< keys of its flows there are now; several where its threads have several classes
};

}  // namespace fairfs::engine
