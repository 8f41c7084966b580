#include "sched/slices.h"

#include <algorithm>

#include "sched/tree.h"

namespace fairfs::sched {

Duration SliceLengths::length(std::uint32_t flows, std::uint64_t share) const {
  const std::int64_t turns{flows};
  const Duration bearable = std::max(kNewcomerWait, equal() * turns);
  const Duration round = std::min(switch_cost_ * kSwitchesPerSlice * turns, bearable);
  const auto due = static_cast<std::uint64_t>(round.count()) * share / Tree::kShareOne;
  Duration length = std::max(Duration{static_cast<Duration::rep>(due)}, switch_cost_ * kSwitchesPerLightSlice);
  // Shares of equal flows are rounded. One alone may be so only while the other's next request is on its way.
  if (flows > 1 && share * flows >= Tree::kShareOne / 8 * 7)
    length = std::max(length, std::min(switch_cost_ * kSwitchesPerEvenSlice, bearable / turns));
  return length;
}

}  // namespace fairfs::sched
