#include "cli/weights_verdict.h"

#include <algorithm>
#include <chrono>
#include <unordered_map>

namespace fairfs::cli {
namespace {

using sched::FlowCounters;
using State = WeightsVerdict::State;

/// How many flows did what.
struct Tally {
  std::size_t active = 0, backlogged = 0;
  bool disk = false, cached = false, metadata = false;

  void add(const FlowCounters& before, const FlowCounters& after, sched::Duration least_backlog) {
    active += after.active > before.active ? 1U : 0U;
    backlogged += after.backlogged - before.backlogged >= least_backlog ? 1U : 0U;
    disk |= after.active > before.active || after.device_time > before.device_time;
    cached |= after.cached > before.cached;
    metadata |= after.metadata > before.metadata;
  }
};

State state_of(const Tally& tally, bool scheduling) {
  if (!scheduling) return State::off;
  if (!tally.disk) {
    if (tally.cached) return State::all_cached;
    return tally.metadata ? State::only_metadata : State::idle;
  }
  if (tally.active <= 1) return State::one_active;
  if (tally.backlogged == 0) return State::none_backlogged;
  return tally.backlogged == 1 ? State::one_backlogged : State::in_force;
}

}  // namespace

std::vector<const engine::FlowReading*> earlier_readings(const engine::Snapshot& before,
                                                         const engine::Snapshot& after) {
  std::unordered_map<std::uint64_t, const engine::FlowReading*> earlier;
  earlier.reserve(before.flows.size());
  for (const auto& flow : before.flows) earlier.emplace(flow.key, &flow);
  std::vector<const engine::FlowReading*> result;
  result.reserve(after.flows.size());
  for (const auto& flow : after.flows) {
    const auto found = earlier.find(flow.key);
    result.push_back(found != earlier.end() ? found->second : nullptr);
  }
  return result;
}

WeightsVerdict weights_verdict(const engine::Snapshot& before, const engine::Snapshot& after, bool scheduling) {
  const auto earlier = earlier_readings(before, after);
  // At least a nanosecond: nobody is backlogged in an interval of no length.
  const auto half = std::chrono::duration<double, std::nano>{kBacklogged * (after.taken - before.taken)};
  const sched::Duration least{std::max<sched::Duration::rep>(static_cast<sched::Duration::rep>(half.count()), 1)};
  const FlowCounters nothing;
  Tally tally;
  for (std::size_t i = 0; i < after.flows.size(); ++i) {
    tally.add(earlier[i] != nullptr ? earlier[i]->counters : nothing, after.flows[i].counters, least);
  }
  return {state_of(tally, scheduling), tally.backlogged};
}

std::string to_words(const WeightsVerdict& verdict) {
  switch (verdict.state) {
    case State::in_force:
      return std::to_string(verdict.backlogged) + " flows backlogged";
    case State::off:
      return "sched=off";
    case State::idle:
      return "idle";
    case State::only_metadata:
      return "only metadata";
    case State::all_cached:
      return "all reads cached";
    case State::one_active:
      return "only one active flow";
    case State::none_backlogged:
      return "no flow backlogged";
    case State::one_backlogged:
      return "only one flow backlogged";
  }
  return {};
}

}  // namespace fairfs::cli
