// Turns: who may have the disk when streams must not be interleaved. README.md has the rules and a worked example.
#include <algorithm>

#include "sched/cooperators.h"
#include "sched/scheduler_state.h"

namespace fairfs::sched {
namespace {

/// Among seeky flows one may run this many of its requests ahead of an awaited one: the disk sorts what it holds, so
/// waiting for each would cost more than it levels. Long-run shares don't depend on it.
constexpr std::uint64_t kSeekyLead = 8;
/// More flows than this are not looked through for partners at the start of a turn (10 us).
constexpr std::size_t kPartnersSearched = 1024;

}  // namespace

void Scheduler::State::open_slice(std::uint32_t node, Time now, Duration at_least) {
  const Flow& flow = flow_of(node);
  const HeldRequest& head = requests[flow.queue.front()];
  Slice slice;
  slice.owner = node;
  slice.service = flow.service;
  slice.of_floor = floors.has_turn(flow.service);
  slice.least = at_least;
  const Duration length = length_of(slice);
  slice.length = static_cast<std::uint64_t>(length.count());
  // By the clock as long: what is in the disk ends first, and turning takes its time. A disk that hangs, or does not do
  // what the model says, keeps nobody longer.
  slice.ends = now + length + (1 + in_flight) * lengths.switch_cost();
  slice.positions.note(head.inode, head.offset);
  slices.push_back(slice);
  gather();
}

void Scheduler::State::gather() {
  if (!features.cooperators) return;
  for (std::uint32_t i = 0; i < std::min(flows.size(), kPartnersSearched); ++i) {
    if (flows[i].queued > 0) join(flows[i].queue.front());
  }
}

bool Scheduler::State::has_turns(std::uint32_t node) {
  const Flow& flow = flow_of(node);
  return !flow.seekiness.seeky() && interleaving.takes_turns(requests[flow.queue.front()].operation);
}

// Of a class that is served beside a higher one only for its age: one request, not a turn.
bool Scheduler::State::beside_higher(std::uint32_t node, Time now) {
  const ServiceClass service = flow_of(node).service;
  if (floors.has_turn(service)) return false;
  for (unsigned i = 0; i < static_cast<unsigned>(service); ++i) {
    if (trees.backlogged(i)) return true;
  }
  return std::any_of(awaited.begin(), awaited.end(), [&](std::uint32_t other) {
    return flow_of(other).service < service && flow_of(other).anticipation.awaited(now);
  });
}

// The request nearest to where the stream stands, the owner's when none is nearer. Partners that went elsewhere part.
std::uint32_t Scheduler::State::next_in(Slice& slice, Time now) {
  for (unsigned i = slice.partner_count; i-- > 0;) {
    const std::uint32_t partner = slice.partners[i];
    if (startable(partner, now) && !queued_in(slice, partner, now)) remove_partner(slice, partner);
  }
  std::uint32_t best = startable(slice.owner, now) ? flow_of(slice.owner).queue.front() : kNoIndex;
  if (slice.partner_count == 0) return best;
  const auto distance = [&](std::uint32_t index) {
    return slice.positions.distance(requests[index].inode, requests[index].offset);
  };
  for (unsigned i = 0; i < slice.partner_count; ++i) {
    const Flow& partner = flow_of(slice.partners[i]);
    if (!startable(slice.partners[i], now)) continue;
    if (best == kNoIndex || distance(partner.queue.front()) < distance(best)) best = partner.queue.front();
  }
  return best;
}

// A turn that a deadline opened is not ended by the next deadline before it was worth the switch.
bool Scheduler::State::may_promote(Time now) {
  const auto least = static_cast<std::uint64_t>(lengths.least().count());
  return std::none_of(slices.begin(), slices.end(),
                      [&](const Slice& slice) { return slice.used < least && !slice.used_up(now); });
}

// Somebody who has nothing queued just now but will, and comes before `node` by class or by share.
std::uint32_t Scheduler::State::hold_before(std::uint32_t node) {
  const Flow& candidate = flow_of(node);
  const bool beside = !has_turns(node) && in_flight < interleaving.beside_seeky();
  const Duration think_max = candidate.service == ServiceClass::idle ? kAnticipationMax : kAnticipationMin;
  for (const std::uint32_t other : awaited) {
    const Flow& flow = flow_of(other);
    if (flow.service < candidate.service) {
      if (!floors.has_turn(candidate.service) && flow.anticipation.think().mean() <= think_max) return other;
    } else if (flow.service == candidate.service && flow.service != ServiceClass::idle) {
      if (!interleaving.takes_turns(flow.last_operation) || (beside && flow.seekiness.seeky())) continue;
      const std::uint64_t lead = flow.seekiness.seeky() && candidate.seekiness.seeky() ? kSeekyLead : 1;
      if (trees.of(flow.service).behind(other, lead * flow.last_cost, node)) return other;
    }
  }
  return kNoIndex;
}

Sleep Scheduler::State::hold(std::uint32_t node, Time until, Time now) {
  if (in_flight == injected) {
    held_for = node;
    held_since = now;
  }
  // One that is overdue and held back by the gate is looked at again when something ends.
  const Time due = by_age.due(requests, backlogged_flows);
  if (may_promote(now) && due > now) until = std::min(until, due);
  return {Sleep::Reason::anticipating, until};
}

Sleep Scheduler::State::wait_for_slices(Time now) {
  Time until = kNever;
  for (const Slice& slice : slices) {
    Time latest = slice.ending ? slice.ends : flow_of(slice.owner).anticipation.until();
    for (unsigned i = 0; i < slice.partner_count; ++i) {
      latest = std::max(latest, flow_of(slice.partners[i]).anticipation.until());
    }
    until = std::min({until, latest, slice.ends});
  }
  return hold(slices.front().owner, until, now);
}

Decision Scheduler::State::next_turn(Time now) {
  end_hold(now);
  drop_awaited(now);
  drop_slices(now);
  const std::uint32_t late = may_promote(now) ? overdue(now) : kNoIndex;
  const std::uint32_t floor = limits.empty() || !may_promote(now) ? kNoIndex : floor_due(now);
  if (all_limited(now)) return wait_for_ceilings();
  ServiceClass service = choose_class(now);
  end_outranked(service);
  if (late != kNoIndex) {
    const std::uint32_t node = requests[late].flow;
    if (slice_of(node) == nullptr && has_turns(node)) {
      floors.hasten(flow_of(node).service);
      if (!beside_higher(node, now)) {
        slices.clear();
        open_slice(node, now);
      }
    }
    return dispatch(late, now, true);
  }
  if (floor != kNoIndex && slice_of(floor) == nullptr) {
    if (has_turns(floor)) {
      slices.clear();
      open_slice(floor, now, lengths.equal());
    }
    return dispatch_for_floor(floor, now);
  }
  if (const std::uint32_t promised = limits.empty() ? kNoIndex : turn_for_promised(now); promised != kNoIndex) {
    return dispatch_unless_gated(flow_of(promised).queue.front(), now);
  }
  // A flush is no stream: it goes by its tag, also in another's turn.
  const std::uint32_t first = flow_of(trees.of(service).best()).queue.front();
  if (requests[first].operation == Operation::sync) return dispatch(first, now, false);
  for (Slice& slice : slices) {
    if (slice.ending) continue;
    const std::uint32_t index = next_in(slice, now);
    if (index == kNoIndex) continue;
    const std::uint32_t late = laggard(slice, requests[index], now);
    if (late != kNoIndex) return hold(late, flow_of(late).anticipation.until(), now);
    const bool elsewhere = slice.shared && !cooperates(slice, requests[index]);
    const Decision decision = dispatch_unless_gated(index, now);
    if (elsewhere) gather();  // they have gone on to the next file together
    return decision;
  }
  if (all_limited(now)) return wait_for_ceilings();  // looking at the turns' requests may have stopped some
  if (slices.size() >= slices_max) return wait_for_slices(now);
  service = choose_class(now);

  const std::uint32_t node = trees.of(service).best();
  const std::uint32_t before = hold_before(node);
  if (before != kNoIndex) {
    if (may_inject(before, node, now)) return inject(before, node, now);
    return hold(before, flow_of(before).anticipation.until(), now);
  }
  if (has_turns(node)) open_slice(node, now);
  return dispatch_unless_gated(flow_of(node).queue.front(), now);
}

}  // namespace fairfs::sched
