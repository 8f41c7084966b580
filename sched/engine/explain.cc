// Why a process weighs what it weighs.
#include <utility>

#include "sched/engine/engine_state.h"
#include "sched/engine/explanation.h"

namespace fairfs::engine {
namespace {

Origin of_rule(const WeightRule* rule, Origin::Kind otherwise) {
  return rule != nullptr ? Origin{Origin::Kind::rule, *rule} : Origin{otherwise, std::nullopt};
}

}  // namespace

Origin Placer::origin_of(const GroupStep& group) const {
  if (group.kind == GroupKind::processes_here) return {Origin::Kind::fixed, std::nullopt};
  const WeightRule* const rule = weight_rule_of(group);
  const bool has_file = rule == nullptr && group.kind == GroupKind::cgroup && cgroups_->of(group.cgroup).has_value();
  return of_rule(rule, has_file ? Origin::Kind::cgroup_file : Origin::Kind::default_weight);
}

Explanation Placer::explain(Process process) const {
  Explanation result;
  const Placement placement = place(process);
  result.name = placement.name;
  result.shared = placement.shared;
  for (const GroupStep& group : placement.groups) {
    result.levels.push_back({group.kind, group.cgroup, group.user, weight_of(group), origin_of(group), limits_of(group),
                             of_rule(limit_rule_of(group), Origin::Kind::default_weight)});
  }
  result.weight = weight_of(process);
  result.weight_origin = of_rule(weight_rule_of(process), Origin::Kind::default_weight);
  result.service = placement.service;
  result.class_origin = of_rule(class_rule_of(process), Origin::Kind::priority);
  result.limits = placement.limits;
  result.limits_origin = of_rule(limit_rule_of(process), Origin::Kind::default_weight);
  Process middle = process;
  middle.priority.level = IoPriority::kLevelDefault;
  result.unscaled = weight_of(middle);
  result.process = std::move(process);
  return result;
}

Explanation Engine::explain(pid_t pid) const {
  const std::shared_ptr<const Placer> placer = state_->callers.placer();
  Process process = state_->processes.find(pid);
  if (process.kind == Process::Kind::process && placer->wants_executable()) {
    process.executable = state_->processes.executable(process.pid);
  }
  Explanation result = placer->explain(std::move(process));
  if (result.process.kind != Process::Kind::process) return result;
  const std::lock_guard lock{state_->mutex};
  for (const auto& flow : state_->flows.flows()) {
    const bool is_it = result.shared ? flow->shared && flow->name == result.name
                                     : flow->process.pid == result.process.pid && !flow->shared;
    if (is_it) result.flows.push_back(flow->key);
  }
  return result;
}

}  // namespace fairfs::engine
