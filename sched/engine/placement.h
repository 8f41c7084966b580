// Where in the tree of shares a process belongs, and what each node on the way weighs: the rules, applied.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sched/engine/cgroup_weights.h"
#include "sched/engine/explanation.h"
#include "sched/engine/process_table.h"
#include "sched/engine/snapshot.h"
#include "sched/engine/weight_rules.h"
#include "sched/types.h"

namespace fairfs::engine {

/// One group between the root and a leaf.
struct GroupStep {
  using Kind = GroupKind;
  Kind kind{};
  std::string key;     ///< unique in the tree
  std::string cgroup;  ///< path, for the first two kinds
  uid_t user = 0;
  sched::Limits limits;  ///< by the rules when it was placed
};

struct Placement {
  std::vector<GroupStep> groups;  ///< from the top down
  std::string leaf;               ///< key, unique in the tree
  std::string name;               ///< for people
  sched::ServiceClass service = sched::ServiceClass::best_effort;
  bool shared = false;      ///< a named flow: the leaf of everybody whom its rule lifts out
  sched::Limits limits;     ///< of the leaf
  bool overridden = false;  ///< weight, class or limits come from a rule that overrides
};

/// Immutable, so thread-safe. Reads weights of cgroups, nothing else.
class Placer {
 public:
  Placer(Grouping grouping, WeightRules rules, std::shared_ptr<CgroupWeights> cgroups)
      : grouping_(grouping), rules_(std::move(rules)), cgroups_(std::move(cgroups)) {}

  [[nodiscard]] Placement place(const Process& process) const;
  [[nodiscard]] sched::Weight weight_of(const GroupStep& group) const;
  /// Of the leaf that `place` gives this process; scaled by its ionice level, but for a named flow, which is many's,
  /// and for a rule that overrides.
  [[nodiscard]] sched::Weight weight_of(const Process& process) const;

  [[nodiscard]] sched::Limits limits_of(const GroupStep& group) const;

  // Which rule decides; null where none does. They point into this object.
  [[nodiscard]] const WeightRule* weight_rule_of(const GroupStep& group) const;
  /// The first rule for a process's own level that matches.
  [[nodiscard]] const WeightRule* weight_rule_of(const Process& process) const;
  [[nodiscard]] const WeightRule* class_rule_of(const Process& process) const;
  [[nodiscard]] const WeightRule* limit_rule_of(const GroupStep& group) const;
  [[nodiscard]] const WeightRule* limit_rule_of(const Process& process) const;
  [[nodiscard]] bool is_overridden(const GroupStep& group) const {
    const WeightRule *const weighs = weight_rule_of(group), *const limits = limit_rule_of(group);
    return (weighs != nullptr && weighs->overrides) || (limits != nullptr && limits->overrides);
  }

  /// All of it, for people. Engine fills in `flows`.
  [[nodiscard]] Explanation explain(Process process) const;

  /// Some rule names exe, so Process::executable must be filled.
  [[nodiscard]] bool wants_executable() const;

 private:
  /// Is for the node of this group: for a cgroup as such, for a user.
  [[nodiscard]] bool is_for(const WeightRule& rule, const GroupStep& group) const;
  [[nodiscard]] Origin origin_of(const GroupStep& group) const;
  /// Weighs a user's node rather than a process: with grouping by uid, a rule that names nothing but the user.
  [[nodiscard]] bool weighs_user(const WeightRule& rule) const;

  const Grouping grouping_;
  const WeightRules rules_;
  const std::shared_ptr<CgroupWeights> cgroups_;
};

}  // namespace fairfs::engine
