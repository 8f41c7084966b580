#include "sched/scheduler_state.h"

#include <algorithm>
#include <cmath>

#include "sched/check.h"
#include "sched/claim.h"

namespace fairfs::sched {
namespace {

/// Device time that makes a turn of a lower class where flows don't take turns: some requests.
constexpr Duration kClassTurn = std::chrono::milliseconds{1};

/// The gate watches what write-behind and flushes cost.
Operation for_correction(const HeldRequest& request) { return request.buffered ? Operation::sync : request.operation; }

}  // namespace

Scheduler::State::State(const SchedulerConfig& config)
    : policy(config.policy),
      features(config.features),
      exclusive(config.policy == Policy::fair && config.profile.idle && config.features.slices),
      model(config.profile),
      correction(config.profile),
      depth(config.profile.depth),
      floors(config.features.class_floors, exclusive ? SliceLengths(config.profile.switch_cost).least() : kClassTurn),
      by_age(config.max_wait, config.profile),
      by_age_limited(config.max_wait, config.profile),
      gate(config.profile),
      guests(config.features.guests && !exclusive),
      work(config.profile.measured.reads && !exclusive && config.features.work_limit, config.profile),
      head(exclusive && config.features.head_time && config.profile.parallelism < kHeadsApart),
      loans(config.policy == Policy::fair && config.features.loans, model),
      metadata_at_once(std::max<std::int64_t>(std::llround(config.profile.parallelism), 1)),
      floor_credit(kFloorsOverOthers *
                   (exclusive ? SliceLengths(config.profile.switch_cost).least() : kClassTurn).count()),
      lengths(config.profile.switch_cost),
      interleaving(config.profile),
      slices_max(std::max<std::uint32_t>(config.profile.best_streams, 1)) {
  FAIRFS_CHECK(config.profile.read.bytes_per_s > 0 && config.profile.write.bytes_per_s > 0);
  FAIRFS_CHECK(config.profile.parallelism > 0 && config.max_wait >= Duration::zero());
  make_room(slices, slices_max);
  if (exclusive) by_age.set_turn(lengths.equal());
  if (exclusive) by_age_limited.set_turn(lengths.equal());
}

HeldRequest& Scheduler::State::held(RequestId id) {
  const auto index = static_cast<std::uint32_t>(id);
  FAIRFS_CHECK(index < requests.size() && requests[index].state != HeldRequest::State::unused);
  return requests[index];
}

std::uint32_t Scheduler::State::enqueue(const Request& request, Time now) {
  HeldRequest held;
  held.inode = request.inode;
  held.offset = request.offset;
  held.bytes = request.bytes;
  held.cookie = request.cookie;
  held.submitted = now;
  held.flow = static_cast<std::uint32_t>(request.flow);
  held.operation = request.operation;
  held.buffered = request.buffered;
  held.state = HeldRequest::State::queued;
  const std::uint32_t index = requests.add(held);
  auto& queue = flow_of(held.flow).queue;
  std::uint32_t previous = queue.back();
  if (request.operation == Operation::sync) {
    queued_syncs.push_back(index);
    // Somebody waits for it, and for write-behind nobody does.
    while (previous != kNoIndex && requests[previous].buffered) previous = requests[previous].in_flow.previous;
  }
  queue.insert(requests, index, previous);
  bool has_ceiling = false, allowed = true;
  each_limited(held.flow, [&](LimitedNode& limited) {
    limited.queued(request.operation, now);
    has_ceiling = has_ceiling || limited.limits().has_ceiling();
    allowed = allowed && limited.allowed_at(request.operation) <= now;
  });
  if (has_ceiling && allowed) unblock_path(held.flow);
  requests[index].limited = has_ceiling && policy != Policy::off;
  if (request.bounded_wait || policy == Policy::off) aged(index).push(requests, index);
  return index;
}

std::uint64_t Scheduler::State::claim_of(std::uint32_t node, Time now) {
  if (!features.claims) return 0;
  if (exclusive) return claim_among_turns(node, now);
  const Flow& flow = flow_of(node);
  return claim_of_returning(flow.anticipation, flow.in_flight, flow.last_cost, depth, now);
}

void Scheduler::State::unlink(std::uint32_t index) {
  Flow& flow = flow_of(requests[index].flow);
  flow.queue.erase(requests, index);
  flow.expected.request = kNoIndex;
  if (requests[index].operation == Operation::sync) std::erase(queued_syncs, index);
  aged(index).erase(requests, index);
  each_limited(requests[index].flow, [&](LimitedNode& limited) { limited.unqueued(requests[index].operation); });
  if (--flow.queued == 0) --backlogged_flows;
  --queued;
}

void Scheduler::State::refresh(std::uint32_t node, std::uint64_t claim) {
  if (policy == Policy::off) return;
  Flow& flow = flow_of(node);
  trees.of(flow.service).set_cost(node, flow.next_charge(requests, model), claim);
}

void Scheduler::State::left_disk(const HeldRequest& request, Time now) {
  if (head.on()) measure_head(request, now);
  work.ended(request.operation, request.bytes);
  if (request.buffered) {
    gate.write_ended(request.bytes, now);
    model.set_write_behind(gate.bytes_per_s());
  } else if (request.operation != Operation::sync) {
    gate.other_ended();
  }
  const std::uint64_t predicted = model.predicted(request.operation, request.bytes, request.sequential);
  if (correction.ended(for_correction(request), predicted, now) && features.cost_correction) {
    model.set_slowness(correction.slowness());
  }
  if (request.operation != Operation::sync) return;
  gate.sync_ended(now);
  model.set_sync(gate.sync_cost());
}

Dispatch Scheduler::State::dispatch(std::uint32_t index, Time now, bool promoted) {
  HeldRequest& request = requests[index];
  Flow& flow = flow_of(request.flow);
  if (!limits.empty()) unblock_path(request.flow);
  const Expected by_itself = flow.expect(index, requests, model);
  unlink(index);
  each_limited(request.flow, [&](LimitedNode& limited) { limited.served(request.operation, request.bytes, now); });

  Slice* const slice = exclusive ? slice_of(request.flow) : nullptr;
  // A partner's that lies behind the stream is near, too, but the platter has to come round again for it.
  const bool joins = slice != nullptr && slice->positions.continues(request.inode, request.offset, request.bytes);
  const bool sequential = joins || by_itself.sequential;
  const bool as_expected = sequential == by_itself.sequential;
  const std::uint64_t expected = as_expected ? by_itself.cost : Flow::cost_of(request, sequential, model);
  const std::uint64_t cost = injecting ? expected : flow.unsettled.charge(expected);
  if (!injecting) flow.unsettled.settle(expected);
  const std::uint64_t instalment = flow.instalment(cost);
  const std::uint64_t spent = injecting ? 0 : cost + instalment + flow.held;
  flow.pay(instalment);
  flow.device_time += Duration{static_cast<Duration::rep>(cost + (injecting ? 0 : flow.held))};
  if (!injecting) flow.held = 0;
  flow.last_cost = expected;
  flow.last_operation = request.operation;
  flow.waits_since = now;
  if (request.operation != Operation::sync) {
    flow.positions.note(request.inode, request.offset + request.bytes);
    flow.seekiness.note(sequential);
    if (slice != nullptr) slice->positions.note(request.inode, request.offset + request.bytes);
  }
  if (slice != nullptr) slice->used += spent;
  by_age.observe(expected);
  by_age_limited.observe(expected);
  const std::int64_t most = kFloorsOverOthers * floors.turn();
  const auto taken = static_cast<std::int64_t>(spent);
  floor_credit = by_floor ? floor_credit - taken : std::min(floor_credit + kFloorsOverOthers * taken, most);
  if (policy == Policy::fair) {
    const bool away = exclusive && features.anticipation;
    trees.of(flow.service).serve(request.flow, spent, flow.next_charge(requests, model), away);
    floors.served(flow.service, spent, now);
  }

  work.started(request.operation, request.bytes);
  if (request.operation == Operation::sync) {
    gate.sync_started(now);
  } else if (request.buffered) {
    gate.write_started(request.bytes, now);
  } else {
    gate.other_started(now);
  }
  correction.started(for_correction(request), now);
  request.state = HeldRequest::State::in_flight;
  request.sequential = sequential;
  if (exclusive) started_while_held(request, flow);
  ++flow.in_flight;
  ++in_flight;
  if (exclusive && features.anticipation && flow.queued == 0) {
    flow.anticipation.dispatched(now);
    await(request.flow);
  }
  started_beside(request, flow.service, now);
  if (loans.on()) account_loan(request, flow, spent, now);
  request.promised = is_promised(request.flow);
  if (!request.promised) ++others_in_flight;
  request.start(now, expected);
  return {RequestId{index}, request.cookie, now - request.submitted, promoted};
}

}  // namespace fairfs::sched
