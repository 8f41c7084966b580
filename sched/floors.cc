// Floors: who has had less than it was promised goes before any weight and class.
#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

std::uint32_t Scheduler::State::floor_due(Time now) {
  if (floor_credit <= 0) return kNoIndex;
  std::uint32_t found = kNoIndex;
  Time since = now;
  for (const auto& limited : limits.all()) {
    if (!limited->limits().has_floor()) continue;
    for (const Operation operation : {Operation::read, Operation::write}) {
      if (!limited->has(operation) || limited->due_at(operation) > since) continue;
      for (unsigned service = 0; service < kClasses; ++service) {
        const std::uint32_t leaf = trees.of(static_cast<ServiceClass>(service)).best_in(limited->node());
        if (leaf == kNoIndex || requests[flow_of(leaf).queue.front()].operation != operation) continue;
        if (!startable(leaf, now)) continue;
        found = leaf;
        since = limited->due_at(operation);
        break;
      }
    }
  }
  return found;
}

Decision Scheduler::State::dispatch_for_floor(std::uint32_t leaf, Time now) {
  by_floor = true;
  const Decision decision = dispatch_unless_gated(flow_of(leaf).queue.front(), now);
  by_floor = false;
  return decision;
}

}  // namespace fairfs::sched
