// Nobody waits longer than his weight explains: what deadlines, long turns and others' absence have left behind.
#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

// Shares are kept in the long run, but deadlines are charged to the groups above, too: two flows that have them may use
// up their group for good, and a sibling that has none starves whatever it weighs. A flow that used what nobody else
// could, or had a long turn just before a heavy one came, is as far ahead. Whoever has had nothing for kClassAge, and
// for four times as long as it takes to earn a request and a turn, goes next as if it were late.
std::uint32_t Scheduler::State::neglected(Time now) {
  if (flows.size() == 0 || !features.patience) return kNoIndex;
  // One flow at each decision: the longest wait is found a few decisions later, and costs nothing meanwhile.
  if (++patrolled >= flows.size()) patrolled = 0;
  Flow& flow = flows[patrolled];
  if (flow.queued == 0 || now - flow.waits_since < kClassAge) return kNoIndex;
  const std::uint32_t first = flow.queue.front();
  const std::uint32_t node = requests[first].flow;
  // Loans are made by the flow's own class to one of it (no loan stays beside real-time): no reason to wait for longer.
  const bool lent = !loans.holders().empty() && flow.service == ServiceClass::best_effort;
  const std::uint64_t due = lent ? trees.of(flow.service).share(node) : share_beside_others(node, now);
  const std::uint64_t share = std::max<std::uint64_t>(due, 1);
  const auto parts = static_cast<std::int64_t>((Tree::kShareOne + share - 1) / share);
  const Duration cost{static_cast<Duration::rep>(std::min(flow.next_charge(requests, model), kCostPatientMax))};
  const Duration turn = exclusive ? lengths.least() : Duration{};
  if (now - flow.waits_since < kClassAge + kPatience * parts * (cost + turn)) return kNoIndex;
  return gated(first, now) || !startable(node, now) ? kNoIndex : first;
}

}  // namespace fairfs::sched
