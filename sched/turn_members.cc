// Turns: who takes part in one, and who is waited for.
#include <algorithm>

#include "sched/cooperators.h"
#include "sched/scheduler_state.h"

namespace fairfs::sched {

Slice* Scheduler::State::slice_of(std::uint32_t node) {
  const auto found = std::find_if(slices.begin(), slices.end(),
                                  [&](const Slice& slice) { return slice.owner == node || is_partner(slice, node); });
  return found == slices.end() ? nullptr : &*found;
}

bool Scheduler::State::queued_in(const Slice& slice, std::uint32_t node, Time now) {
  return startable(node, now) && (node == slice.owner || cooperates(slice, requests[flow_of(node).queue.front()]));
}

// A turn goes on while somebody who takes part has something queued or is worth waiting for.
bool Scheduler::State::alive(const Slice& slice, Time now) {
  const auto active = [&](std::uint32_t node) {
    return queued_in(slice, node, now) || flow_of(node).anticipation.awaited(now);
  };
  return active(slice.owner) ||
         std::any_of(slice.partners.begin(), slice.partners.begin() + slice.partner_count, active);
}

void Scheduler::State::drop_slices(Time now) {
  std::erase_if(slices, [&](const Slice& slice) { return slice.used_up(now) || !alive(slice, now); });
}

// A higher class has come, or its own class has had its turn. Of the latter's what is in the disk ends first: beside
// the next turn's requests the head would have to come back for it.
void Scheduler::State::end_outranked(ServiceClass service) {
  for (Slice& slice : slices) slice.ending = service < slice.service && !floors.has_turn(slice.service);
  std::erase_if(slices, [&](const Slice& slice) {
    return slice.ending && !(slice.of_floor && flow_of(slice.owner).in_flight > 0);
  });
}

void Scheduler::State::await(std::uint32_t node) {
  Flow& flow = flow_of(node);
  if (!flow.listed) awaited.push_back(node);
  flow.listed = true;
}

void Scheduler::State::end_hold(Time now) {
  if (held_for == kNoIndex) return;
  const auto time = static_cast<std::uint64_t>(std::max(now - held_since, Duration::zero()).count());
  std::uint64_t& held = flow_of(held_for).held;
  held = std::min(held + time, static_cast<std::uint64_t>((2 * kAnticipationMax).count()));
  held_for = kNoIndex;
}

void Scheduler::State::forget(std::uint32_t node) {
  std::erase_if(slices, [&](const Slice& slice) { return slice.owner == node; });
  for (Slice& slice : slices) remove_partner(slice, node);
  std::erase(awaited, node);
  flow_of(node).listed = false;
  flow_of(node).anticipation.stop();
  trees.of(flow_of(node).service).set_idle(node);
  if (held_for == node) held_for = kNoIndex;
}

void Scheduler::State::set_class(std::uint32_t node, ServiceClass service) {
  Flow& flow = flow_of(node);
  if (flow.service == service) return;
  forget(node);
  if (flow.queued > 0 && policy == Policy::fair) trees.of(flow.service).set_cost(node, 0);
  flow.service = service;
  refresh(node);
}

void Scheduler::State::join(std::uint32_t index) {
  const HeldRequest& request = requests[index];
  if (!features.cooperators || slice_of(request.flow) != nullptr) return;
  for (Slice& slice : slices) {
    if (flow_of(request.flow).service != slice.service || !cooperates(slice, request)) continue;
    return add_partner(slice, request.flow);
  }
}

// Passing over the piece of a partner that is a moment late costs a turn of the platter, once for it and once for the
// others, and from then on for every piece: they would never be in step again. Waiting costs as long as it thinks.
std::uint32_t Scheduler::State::laggard(const Slice& slice, const HeldRequest& next, Time now) {
  if (slice.partner_count == 0 || slice.positions.distance(next.inode, next.offset) == 0) return kNoIndex;
  const auto late = [&](std::uint32_t node) {
    const Flow& flow = flow_of(node);
    return flow.queued == 0 && flow.positions.continues(next.inode, next.offset) && flow.anticipation.awaited(now) &&
           flow.anticipation.think().mean() <= kAnticipationMin;
  };
  if (late(slice.owner)) return slice.owner;
  const auto* const end = slice.partners.begin() + slice.partner_count;
  const auto* const found = std::find_if(slice.partners.begin(), end, late);
  return found == end ? kNoIndex : *found;
}

// Where flows take turns whoever waits is behind those that have just had theirs, by up to a turn of its own. It would
// forgo all of that with its place, in a pause that cost nobody more than a few ms.
std::uint64_t Scheduler::State::claim_among_turns(std::uint32_t node, Time now) {
  const Flow& flow = flow_of(node);
  if (flow.in_flight == 0 && flow.anticipation.new_or_away(kReturnAmongTurns, now)) return 0;
  const std::uint32_t others = std::max(backlogged_flows, 1U);  // whose turn it is may have all in the disk
  return static_cast<std::uint64_t>(lengths.length(others + 1, trees.of(flow.service).share(node)).count());
}

void Scheduler::State::drop_awaited(Time now) {
  for (std::size_t i = 0; i < awaited.size();) {
    const std::uint32_t node = awaited[i];
    Flow& flow = flow_of(node);
    const Anticipation::State state = flow.anticipation.state();
    if (flow.anticipation.awaited(now)) {
      ++i;
      continue;
    }
    if (state == Anticipation::State::awaiting_request && !flow.anticipation.think().known()) first_returns.note(false);
    flow.anticipation.stop();
    flow.listed = false;
    trees.of(flow.service).set_idle(node);
    awaited[i] = awaited.back();
    awaited.pop_back();
  }
}

}  // namespace fairfs::sched
