#include "sched/engine/flow_map.h"

namespace fairfs::engine {

std::shared_ptr<Flow> FlowMap::find_or_add(const Placement& placement, const std::vector<sched::Weight>& group_weights,
                                           sched::Weight weight, const Process& process, sched::Time now) {
  const auto known = flows_.find(placement.leaf);
  std::shared_ptr<Flow> flow;
  if (known == flows_.end()) {
    flow = add(placement, group_weights, weight, process, now);
  } else {
    flow = known->second;
    set_weight(*flow, weight);
    if (!flow->shared) {
      flow->process = process;
      flow->name = placement.name;
    }
  }
  set_class(*flow, placement.service);
  set_limits(*flow, placement.limits, now);
  flow->overridden = placement.overridden;
  flow->see(now);
  return flow;
}

std::shared_ptr<Flow> FlowMap::add(const Placement& placement, const std::vector<sched::Weight>& group_weights,
                                   sched::Weight weight, const Process& process, sched::Time now) {
  auto flow = std::make_shared<Flow>(last_key_ + 1, placement.leaf);
  flow->name = placement.name;
  flow->shared = placement.shared;
  flow->weight = weight;
  flow->process = process;
  Group* parent = nullptr;
  const auto place = flows_.try_emplace(placement.leaf, flow).first;
  try {
    for (std::size_t i = 0; i < placement.groups.size(); ++i)
      parent = group(placement.groups[i], parent, group_weights[i], now);
    flow->node = scheduler_.add_flow(parent != nullptr ? parent->node : sched::kRoot, weight);
  } catch (...) {
    flows_.erase(place);
    if (parent != nullptr && parent->children == 0) leave_empty(parent);
    throw;
  }
  ++last_key_;
  flow->parent = parent;
  if (parent != nullptr) ++parent->children;
  return flow;
}

void FlowMap::expire(sched::Time now) {
  const sched::Duration idle_max = flows_.size() > kCrowd ? kIdleMaxCrowded : kIdleMax;
  std::erase_if(flows_, [&](const auto& entry) {
    Flow& flow = *entry.second;
    if (flow.busy() || flow.dirty.load(std::memory_order_relaxed) != 0 || now - flow.seen() <= idle_max) return false;
    device_time_expired_ += scheduler_.service(flow.node).device_time;
    scheduler_.remove(flow.node);
    set_owes(flow, false);
    flow.in_tree = false;
    leave(std::exchange(flow.parent, nullptr));
    return true;
  });
}

void FlowMap::set_weight(const std::string& group_key, sched::Weight weight, bool overridden) {
  const auto found = groups_.find(group_key);
  if (found == groups_.end()) return;
  found->second->overridden = overridden;
  if (found->second->weight == weight) return;
  found->second->weight = weight;
  scheduler_.set_weight(found->second->node, weight);
}

void FlowMap::set_weight(Flow& flow, sched::Weight weight) {
  if (!flow.in_tree || flow.weight == weight) return;
  flow.weight = weight;
  scheduler_.set_weight(flow.node, weight);
}

void FlowMap::set_class(Flow& flow, sched::ServiceClass service) {
  if (!flow.in_tree || flow.service == service) return;
  flow.service = service;
  scheduler_.set_class(flow.node, service);
}

void FlowMap::set_limits(const std::string& group_key, const sched::Limits& limits, sched::Time now) {
  const auto found = groups_.find(group_key);
  if (found == groups_.end() || found->second->step.limits == limits) return;
  scheduler_.set_limits(found->second->node, limits, now);
  found->second->step.limits = limits;
}

void FlowMap::set_limits(Flow& flow, const sched::Limits& limits, sched::Time now) {
  if (!flow.in_tree || flow.limits == limits) return;
  scheduler_.set_limits(flow.node, limits, now);
  flow.limits = limits;
}

void FlowMap::share_out(sched::Time now) {
  std::vector<Flow*> active;
  for (auto& [key, flow] : flows_) {
    flow->share_due = 0;
    if (!flow->counters) continue;
    const sched::Duration total =
        flow->counters->active + (flow->busy() ? now - flow->active_since : sched::Duration{});
    if (total <= std::exchange(flow->active_last_second, total)) continue;
    active.push_back(flow.get());
  }
  const std::vector<double> shares = shares_among(active);
  for (std::size_t i = 0; i < active.size(); ++i) active[i]->share_due = shares[i];
}

std::vector<double> FlowMap::shares_among(std::span<Flow* const> active) {
  std::uint64_t root_weight = 0;
  const auto weight_beside = [&](Group* parent) -> std::uint64_t& {
    return parent != nullptr ? parent->active_weight : root_weight;
  };
  for (auto& [key, group] : groups_) {
    group->active = false;
    group->active_weight = 0;
  }
  for (const Flow* const flow : active) {
    weight_beside(flow->parent) += flow->weight;
    for (Group* group = flow->parent; group != nullptr && !group->active; group = group->parent) {
      group->active = true;
      weight_beside(group->parent) += group->weight;
    }
  }
  std::vector<double> shares;
  shares.reserve(active.size());
  for (const Flow* const flow : active) {
    double share = static_cast<double>(flow->weight) / static_cast<double>(weight_beside(flow->parent));
    for (const Group* group = flow->parent; group != nullptr; group = group->parent)
      share *= static_cast<double>(group->weight) / static_cast<double>(weight_beside(group->parent));
    shares.push_back(share);
  }
  return shares;
}

std::vector<std::shared_ptr<Flow>> FlowMap::flows() const {
  std::vector<std::shared_ptr<Flow>> all;
  all.reserve(flows_.size());
  for (const auto& [key, flow] : flows_) all.push_back(flow);
  return all;
}

std::vector<GroupReading> FlowMap::read_groups() const {
  std::vector<GroupReading> all;
  all.reserve(groups_.size());
  for (const auto& [key, group] : groups_) {
    group->place = static_cast<std::int32_t>(all.size());
    const GroupStep& step = group->step;
    all.push_back({step.kind, step.cgroup, step.user, -1, group->weight, group->overridden});
  }
  for (const auto& [key, group] : groups_)
    if (group->parent != nullptr) all[static_cast<std::size_t>(group->place)].parent = group->parent->place;
  return all;
}

std::vector<GroupStep> FlowMap::groups() const {
  std::vector<GroupStep> all;
  all.reserve(groups_.size());
  for (const auto& [key, group] : groups_) all.push_back(group->step);
  return all;
}

Group* FlowMap::group(const GroupStep& step, Group* parent, sched::Weight weight, sched::Time now) {
  if (const auto known = groups_.find(step.key); known != groups_.end()) return known->second.get();
  auto made = std::make_unique<Group>();
  made->step = step;
  made->parent = parent;
  made->weight = weight;
  const auto place = groups_.try_emplace(step.key, std::move(made)).first;
  Group* const added = place->second.get();
  try {
    added->node = scheduler_.add_group(parent != nullptr ? parent->node : sched::kRoot, weight);
    if (step.limits.any()) scheduler_.set_limits(added->node, step.limits, now);
  } catch (...) {
    if (added->node != sched::kRoot) scheduler_.remove(added->node);
    groups_.erase(place);
    throw;
  }
  if (parent != nullptr) ++parent->children;
  return added;
}

void FlowMap::leave(Group* parent) {
  if (parent != nullptr && --parent->children == 0) leave_empty(parent);
}

void FlowMap::leave_empty(Group* group) {
  Group* const above = group->parent;
  scheduler_.remove(group->node);
  groups_.erase(groups_.find(group->step.key));  // by its place: the key dies with the group
  leave(above);
}

}  // namespace fairfs::engine
