// Which flush goes now, whoever has a turn.
#include <algorithm>
#include <iterator>

#include "sched/scheduler_state.h"

namespace fairfs::sched {
namespace {

/// Flushes looked through for one that may go now, the oldest first (2 us). More of them are served by their tags.
constexpr std::ptrdiff_t kSyncsSearched = 64;

}  // namespace

// A finish tag would keep a flush back for as long as it takes itself, times the number of flows: it is a long request,
// and somebody waits for it.
std::uint32_t Scheduler::State::ready_sync(Time now) {
  if (queued_syncs.empty()) return kNoIndex;
  const bool joins = gate.joinable(now);
  const ServiceClass service = choose_class(now);
  const auto end = queued_syncs.begin() + std::min<std::ptrdiff_t>(std::ssize(queued_syncs), kSyncsSearched);
  const auto first = std::find_if(queued_syncs.begin(), end, [&](std::uint32_t index) {
    const std::uint32_t node = requests[index].flow;
    const Flow& flow = flow_of(node);
    if (flow.queue.front() != index) return false;
    return joins || (flow.service == service && trees.of(service).eligible(node));
  });
  return first == end ? kNoIndex : *first;
}

}  // namespace fairfs::sched
