#include "sched/slices.h"

#include <algorithm>

#include "sched/cooperators.h"
#include "sched/scheduler_state.h"

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

Duration Scheduler::State::length_of(const Slice& slice) {
  const Flow& flow = flow_of(slice.owner);
  if (flow.on_loan) return std::max(lengths.equal(), slice.least);  // alone in its class: the round would be its turn
  const std::uint32_t others = backlogged_flows - (flow.queued != 0 ? 1 : 0);
  return std::max(lengths.length(others + 1, trees.of(flow.service).share(slice.owner)), slice.least);
}

// A turn that began while the others' programs waited for a processor and had been given up is one of a flow alone:
// 16 switches, also of the lightest one, which is what it is due in a second or two beside a heavy one.
void Scheduler::State::shorten_slices(std::uint32_t newcomer) {
  for (Slice& slice : slices) {
    if (slice.owner == newcomer || is_partner(slice, newcomer)) continue;
    const auto length = static_cast<std::uint64_t>(length_of(slice).count());
    if (length >= slice.length) continue;
    slice.ends -= Duration{static_cast<Duration::rep>(slice.length - length)};
    slice.length = length;
  }
}

}  // namespace fairfs::sched
