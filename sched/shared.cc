// Who is next where nothing has turns: the best of the highest class, and beside it as many of lower ones as it bears.
#include "sched/scheduler_state.h"

namespace fairfs::sched {

void Scheduler::State::started_beside(HeldRequest& request, ServiceClass service, Time now) {
  if (!guests.on()) return;
  request.guest = presence.higher_until(service) > now;
  // Guests, or what was in the disk already when the first of the higher class came.
  request.met = presence.lower_in_flight(service);
  request.service = static_cast<std::uint8_t>(service) & 3U;
  if (request.guest) guests.started();
  presence.started(service);
}

void Scheduler::State::ended_beside(const HeldRequest& request, Flow& flow, Time now) {
  if (!guests.on()) return;
  presence.ended(static_cast<ServiceClass>(request.service), now);
  if (request.guest) return guests.ended();
  if (request.operation == Operation::sync || request.buffered) return;
  const Duration service = now - request.started();
  if (!request.met) {
    flow.alone.add(service);
    guests.host_alone(flow.alone.known(), now);
  } else if (flow.alone.known()) {
    guests.host_met(service, flow.alone.mean(), now);
  } else {
    guests.host_unknown();
  }
}

Decision Scheduler::State::next_shared(Time now) {
  if (const std::uint32_t late = overdue(now); late != kNoIndex) return dispatch(late, now, true);
  if (!limits.empty()) {
    if (const std::uint32_t leaf = floor_due(now); leaf != kNoIndex) return dispatch_for_floor(leaf, now);
    if (all_limited(now)) return wait_for_ceilings();
  }
  const ServiceClass service = choose_class(now);
  if (guests.on() && !floors.has_turn(service)) {
    const Time until = presence.higher_until(service);
    if (until > now && !guests.admits()) return Sleep{Sleep::Reason::anticipating, until};
  }
  std::uint32_t node = trees.of(service).best();
  if (others_wait(node, now)) {
    const std::uint32_t promised = promised_leaf(now);
    if (promised == kNoIndex) return Sleep{Sleep::Reason::depth};
    node = promised;
  }
  return dispatch_unless_gated(flow_of(node).queue.front(), now);
}

}  // namespace fairfs::sched
