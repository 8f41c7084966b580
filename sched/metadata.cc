// Look-ups are never queued: what they take of the disk is owed, and paid for afterwards.
#include "sched/check.h"
#include "sched/scheduler_state.h"

namespace fairfs::sched {

std::uint64_t Scheduler::State::share_beside_others(std::uint32_t node, Time now) {
  const ServiceClass service = flow_of(node).service;
  std::uint64_t share = trees.of(service).share(node);
  bool higher = guests.on() && presence.higher_until(service) > now;
  for (unsigned i = 0; i < static_cast<unsigned>(service); ++i) higher = higher || trees.wanted(i);
  if (higher) share = share * static_cast<std::uint64_t>(floors.part(service)) / 1000;
  return share;
}

void Scheduler::State::settle_metadata(std::uint32_t node, Time now) {
  Flow& flow = flow_of(node);
  if (flow.metadata.owes() && flow.queued + flow.in_flight == 0)
    flow.metadata.pass(share_beside_others(node, now), now);
}

// A look-up is a small random read, of which the disk serves as many at once as the profile's parallelism says. But
// where flows have turns the stream under way stands still meanwhile, and the head has to come back to it.
Duration Scheduler::State::charge_metadata(std::uint32_t node, Duration blocked, Time now) {
  FAIRFS_CHECK(blocked >= Duration::zero());
  Flow& flow = flow_of(node);
  if (blocked < kMetadataBlockedLeast) return Duration{static_cast<Duration::rep>(flow.metadata.owed())};
  settle_metadata(node, now - blocked);
  head.ended(now - blocked, now);
  const Duration disk = std::min<Duration>(blocked, kServiceMax);
  const bool elsewhere = !slices.empty() && slice_of(node) == nullptr;  // than where the head is
  const Duration time = !exclusive ? disk / metadata_at_once : elsewhere ? disk + lengths.switch_cost() : disk;
  flow.device_time += time;
  if (policy == Policy::fair && features.metadata_debt) {
    flow.metadata.charge(time, share_beside_others(node, now), now);
    refresh(node);
  }
  return Duration{static_cast<Duration::rep>(flow.metadata.owed())};
}

Duration Scheduler::State::metadata_delay(std::uint32_t node, Time now) {
  Flow& flow = flow_of(node);
  // In its own turn it keeps nobody from the disk, which would stand still for it until it was given up.
  if (!flow.metadata.owes() || flow.on_loan || slice_of(node) != nullptr) return {};
  settle_metadata(node, now);
  refresh(node);
  return flow.metadata.delay(share_beside_others(node, now));
}

}  // namespace fairfs::sched
