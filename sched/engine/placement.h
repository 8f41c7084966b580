// Where in the tree of shares a process belongs, and what each node on the way weighs: the rules, applied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sched/engine/cgroup_weights.h"
#include "sched/engine/process_table.h"
#include "sched/engine/weight_rules.h"
#include "sched/types.h"

namespace fairfs::engine {

/// One group between the root and a leaf.
struct GroupStep {
  enum class Kind : std::uint8_t {
    cgroup,
    /// The processes directly in a cgroup, who compete with the child cgroups as one. There in every cgroup: where
    /// there are no children it is alone and changes nothing, and nothing has to move when the first child comes.
    processes_here,
    user
  } kind{};
  std::string key;     ///< unique in the tree
  std::string cgroup;  ///< path, for the first two kinds
  uid_t user = 0;
};

struct Placement {
  std::vector<GroupStep> groups;  ///< from the top down
  std::string leaf;               ///< key, unique in the tree
  std::string name;               ///< for people
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  bool shared = false;  ///< a named flow: the leaf of everybody whom its rule lifts out
};

/// Immutable, so thread-safe. Reads weights of cgroups, nothing else.
class Placer {
 public:
  Placer(Grouping grouping, WeightRules rules, std::shared_ptr<CgroupWeights> cgroups)
      : grouping_(grouping), rules_(std::move(rules)), cgroups_(std::move(cgroups)) {}

  [[nodiscard]] Placement place(const Process& process) const;
  [[nodiscard]] sched::Weight weight_of(const GroupStep& group) const;
  /// Of the leaf that `place` gives this process; scaled by its ionice level, but for a named flow, which is many's.
  [[nodiscard]] sched::Weight weight_of(const Process& process) const;
  /// Some rule names exe, so Process::executable must be filled.
  [[nodiscard]] bool wants_executable() const;

 private:
  /// Weighs a user's node rather than a process: with grouping by uid, a rule that names nothing but the user.
  [[nodiscard]] bool weighs_user(const WeightRule& rule) const;
  [[nodiscard]] sched::ServiceClass class_of(const Process& process) const;
  /// The first rule for a process's own level that matches; null without.
  [[nodiscard]] const WeightRule* rule_of(const Process& process) const;

  const Grouping grouping_;
  const WeightRules rules_;
  const std::shared_ptr<CgroupWeights> cgroups_;
};

}  // namespace fairfs::engine
