// Flows with a latency: others' requests in the disk are limited for their sake.
#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

std::uint32_t Scheduler::State::others_allowed(Time now) const {
  std::uint32_t allowed = depth;
  for (const auto& limited : limits.all()) {
    if (limited->guard()) allowed = std::min(allowed, limited->guard()->allowed(now));
  }
  return allowed;
}

bool Scheduler::State::is_promised(std::uint32_t leaf) const {
  bool promised = false;
  each_limited(leaf, [&](const LimitedNode& limited) { promised = promised || limited.guard(); });
  return promised;
}

// Not one that has had more than its share: a hog with a latency would stop everybody for the queue it makes itself.
std::uint32_t Scheduler::State::promised_leaf(Time now) {
  for (const auto& limited : limits.all()) {
    if (!limited->guard()) continue;
    for (unsigned service = 0; service < kClasses; ++service) {
      Tree& tree = trees.of(static_cast<ServiceClass>(service));
      const std::uint32_t leaf = tree.best_in(limited->node());
      if (leaf != kNoIndex && startable(leaf, now) && tree.eligible(leaf)) return leaf;
    }
  }
  return kNoIndex;
}

bool Scheduler::State::others_wait(std::uint32_t leaf, Time now) const {
  return !limits.empty() && others_in_flight >= others_allowed(now) && !is_promised(leaf);
}

// Where turns are, the others' last as many switches as they are allowed requests.
std::uint32_t Scheduler::State::turn_for_promised(Time now) {
  const std::uint32_t leaf = promised_leaf(now);
  if (leaf == kNoIndex || slice_of(leaf) != nullptr) return kNoIndex;
  const auto least = static_cast<std::uint64_t>((others_allowed(now) * lengths.switch_cost()).count());
  std::erase_if(slices, [least](const Slice& slice) { return slice.used >= least; });
  if (slices.size() >= slices_max) return kNoIndex;
  if (has_turns(leaf)) open_slice(leaf, now);
  return leaf;
}

void Scheduler::State::ended_promised(const HeldRequest& request, Time now) {
  if (!request.promised) --others_in_flight;
  if (limits.empty() || !request.promised || request.buffered) return;
  const bool full = others_in_flight >= others_allowed(now);
  each_limited(request.flow, [&](LimitedNode& limited) {
    if (limited.guard()) limited.guard()->ended(now - request.submitted, full, now);
  });
}

}  // namespace fairfs::sched
