#include "sched/engine/placement.h"

#include <algorithm>

#include "sched/engine/glob.h"

namespace fairfs::engine {
namespace {

template <typename Value>
bool agrees(const std::optional<Value>& wanted, const Value& value) {
  return !wanted || *wanted == value;
}

bool matches(const WeightRule& rule, const Process& process) {
  if (process.kind != Process::Kind::process && rule.pid) return false;
  return (!rule.cgroup || glob_match(*rule.cgroup, process.cgroup)) && agrees(rule.command, process.command) &&
         agrees(rule.exe, process.executable) && agrees(rule.user, process.uid) && agrees(rule.group, process.gid) &&
         agrees(rule.pid, process.pid) && agrees(rule.start_time, process.start_time);
}

// "/a/b" -> "/a", "/a/b"
void add_cgroup_steps(const std::string& path, std::vector<GroupStep>& groups) {
  for (std::size_t end = 0; end != std::string::npos && path.size() > 1;) {
    end = path.find('/', end + 1);
    const std::string prefix = path.substr(0, end);
    groups.push_back({GroupStep::Kind::cgroup, "cgroup:" + prefix, prefix, 0, {}});
  }
  groups.push_back({GroupStep::Kind::processes_here, "here:" + path, path, 0, {}});
}

/// Whether the cgroup or one above it matches.
bool is_within(const std::string& pattern, const std::string& path) {
  if (glob_match(pattern, path)) return true;
  for (std::size_t end = path.rfind('/'); end != 0 && end != std::string::npos; end = path.rfind('/', end - 1)) {
    if (glob_match(pattern, path.substr(0, end))) return true;
  }
  return glob_match(pattern, "/");
}

std::string class_suffix(sched::ServiceClass service) {
  switch (service) {
    case sched::ServiceClass::realtime:
      return "|rt";
    case sched::ServiceClass::idle:
      return "|idle";
    case sched::ServiceClass::best_effort:
      break;
  }
  return {};
}

std::string identity(const Process& process) {
  if (process.kind != Process::Kind::process) return process.command;
  return std::to_string(process.pid) + '@' + std::to_string(process.start_time);
}

}  // namespace

Placement Placer::place(const Process& process) const {
  Placement placement;
  const WeightRule *const weighs = weight_rule_of(process), *const classes = class_rule_of(process);
  placement.service = classes != nullptr ? *classes->service : process.priority.service;
  const WeightRule* const limits = limit_rule_of(process);
  if (limits != nullptr) placement.limits = limits->limits;
  for (const WeightRule* rule : {weighs, classes, limits}) {
    placement.overridden = placement.overridden || (rule != nullptr && rule->overrides);
  }
  // Threads of one process may be of several classes, and then are several flows.
  const std::string thread_class = class_suffix(process.priority.service);
  if (weighs != nullptr && weighs->flow) {
    placement.leaf = "flow:" + *weighs->flow + thread_class;
    placement.name = *weighs->flow;
    placement.shared = true;
    return placement;
  }
  if (grouping_ == Grouping::cgroup) add_cgroup_steps(process.cgroup, placement.groups);
  if (grouping_ == Grouping::uid)
    placement.groups.push_back({GroupStep::Kind::user, "user:" + std::to_string(process.uid), {}, process.uid, {}});
  for (GroupStep& group : placement.groups) group.limits = limits_of(group);
  const bool alone = process.kind == Process::Kind::process;
  placement.name = alone ? process.command + '[' + std::to_string(process.pid) + ']' : process.command;
  placement.leaf = "process:" + identity(process) + thread_class;
  if (!placement.groups.empty()) placement.leaf += '|' + placement.groups.back().key;
  return placement;
}

sched::Weight Placer::weight_of(const GroupStep& group) const {
  if (group.kind == GroupStep::Kind::processes_here) return sched::kWeightDefault;
  if (const WeightRule* rule = weight_rule_of(group)) return rule->weight;
  if (group.kind == GroupStep::Kind::user) return rules_.default_weight;
  return cgroups_->of(group.cgroup).value_or(rules_.default_weight);
}

bool Placer::is_for(const WeightRule& rule, const GroupStep& group) const {
  switch (group.kind) {
    case GroupStep::Kind::processes_here:
      return false;
    case GroupStep::Kind::user:
      return weighs_user(rule) && *rule.user == group.user;
    case GroupStep::Kind::cgroup:
      return rule.cgroup && !rule.names_process() && !rule.flow && glob_match(*rule.cgroup, group.cgroup);
  }
  return false;
}

const WeightRule* Placer::weight_rule_of(const GroupStep& group) const {
  const auto weighs = [&](const WeightRule& rule) { return rule.weighs && is_for(rule, group); };
  const auto found = std::find_if(rules_.rules.begin(), rules_.rules.end(), weighs);
  return found != rules_.rules.end() ? &*found : nullptr;
}

sched::Weight Placer::weight_of(const Process& process) const {
  const WeightRule* match = weight_rule_of(process);
  if (match == nullptr) return scaled(rules_.default_weight, process.priority.level);
  // What somebody sets while running is what they want to see.
  if (!match->flow) return match->overrides ? match->weight : scaled(match->weight, process.priority.level);
  // Several rules may lift processes into one flow; the flow has one weight, that of the first of them.
  return std::find_if(rules_.rules.begin(), rules_.rules.end(),
                      [&](const WeightRule& r) { return r.flow == match->flow; })
      ->weight;
}

const WeightRule* Placer::class_rule_of(const Process& process) const {
  for (const WeightRule& rule : rules_.rules)
    if (rule.service && (rule.names_process() || rule.flow) && matches(rule, process)) return &rule;
  for (const WeightRule& rule : rules_.rules)
    if (rule.service && !rule.names_process() && !rule.flow && is_within(*rule.cgroup, process.cgroup)) return &rule;
  return nullptr;
}

const WeightRule* Placer::limit_rule_of(const GroupStep& group) const {
  const auto limits = [&](const WeightRule& rule) { return rule.limits.any() && is_for(rule, group); };
  const auto found = std::find_if(rules_.rules.begin(), rules_.rules.end(), limits);
  return found != rules_.rules.end() ? &*found : nullptr;
}

const WeightRule* Placer::limit_rule_of(const Process& process) const {
  const WeightRule* const lifts = weight_rule_of(process);
  const bool lifted = lifts != nullptr && lifts->flow;
  for (const WeightRule& rule : rules_.rules) {
    if (!rule.limits.any()) continue;
    // All rules of a named flow are for the flow, whichever of them lifted the process; and no other is.
    const bool own = lifted ? rule.flow == lifts->flow
                            : rule.names_process() && !rule.flow && !weighs_user(rule) && matches(rule, process);
    if (own) return &rule;
  }
  return nullptr;
}

sched::Limits Placer::limits_of(const GroupStep& group) const {
  const WeightRule* const rule = limit_rule_of(group);
  return rule != nullptr ? rule->limits : sched::Limits{};
}

bool Placer::wants_executable() const {
  return std::any_of(rules_.rules.begin(), rules_.rules.end(), [](const WeightRule& r) { return r.exe.has_value(); });
}

bool Placer::weighs_user(const WeightRule& rule) const {
  return grouping_ == Grouping::uid && rule.user && !rule.cgroup && !rule.command && !rule.exe && !rule.group &&
         !rule.pid && !rule.flow;
}

const WeightRule* Placer::weight_rule_of(const Process& process) const {
  for (const WeightRule& rule : rules_.rules)
    if (((rule.names_process() && rule.weighs) || rule.flow) && !weighs_user(rule) && matches(rule, process))
      return &rule;
  return nullptr;
}

}  // namespace fairfs::engine
