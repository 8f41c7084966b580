// Rules that come while running: found out outside of the mutex, set for all nodes in one hold of it.
#include <optional>
#include <utility>

#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {

/// What the new rules say of one flow.
struct FlowNews {
  std::shared_ptr<Flow> flow;
  Process process;
  Placement placement;
  sched::Weight weight{};
};

struct GroupNews {
  GroupStep step;
  sched::Weight weight{};
  bool overridden = false;
};

}  // namespace

void Engine::set_rules(WeightRules rules) {
  State& state = *state_;
  const auto placer = std::make_shared<const Placer>(state.config.grouping, std::move(rules), state.cgroups);
  state.callers.set_placer(placer);

  std::vector<FlowNews> flows;
  std::vector<GroupNews> groups;
  {
    const std::lock_guard lock{state.mutex};
    for (const auto& flow : state.flows.flows()) flows.push_back({flow, flow->process, {}, {}});
    for (const GroupStep& step : state.flows.groups()) groups.push_back({step, {}, {}});
  }
  for (FlowNews& news : flows) {
    Process& process = news.process;
    if (placer->wants_executable() && process.pid != 0) process.executable = state.processes.executable(process.pid);
    news.placement = placer->place(process);
    news.weight = placer->weight_of(process);
  }
  // One whose process belongs elsewhere now is left alone: the process's next request makes another.
  std::erase_if(flows, [](const FlowNews& news) { return news.placement.leaf != news.flow->leaf; });
  for (GroupNews& news : groups) {
    news.weight = placer->weight_of(news.step);
    news.overridden = placer->is_overridden(news.step);
    news.step.limits = placer->limits_of(news.step);
  }
  const std::lock_guard lock{state.mutex};
  const sched::Time now = clock_now();
  for (const FlowNews& news : flows) {
    state.flows.set_weight(*news.flow, news.weight);
    state.flows.set_class(*news.flow, news.placement.service);
    state.flows.set_limits(*news.flow, news.placement.limits, now);
    news.flow->overridden = news.placement.overridden;
  }
  for (const GroupNews& news : groups) {
    state.flows.set_weight(news.step.key, news.weight, news.overridden);
    state.flows.set_limits(news.step.key, news.step.limits, now);
  }
}

}  // namespace fairfs::engine
