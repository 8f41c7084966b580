#include "sched/slices.h"

#include <algorithm>

#include "sched/tree.h"

namespace fairfs::sched {

Duration SliceLengths::length(std::uint32_t flows, std::uint64_t share) const {
  const std::int64_t turns{flows};
  const Duration round = std::min(switch_cost_ * kSwitchesPerSlice * turns, std::max(kNewcomerWait, equal() * turns));
  const auto due = static_cast<std::uint64_t>(round.count()) * share / Tree::kShareOne;
  return std::max(Duration{static_cast<Duration::rep>(due)}, least());
}

}  // namespace fairfs::sched
