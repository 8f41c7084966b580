// One flow: its queue of requests, what it owes, what it was given.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/anticipation.h"
#include "sched/cost.h"
#include "sched/head_time.h"
#include "sched/injection.h"
#include "sched/mean_time.h"
#include "sched/metadata_debt.h"
#include "sched/request_list.h"
#include "sched/scheduler.h"
#include "sched/seekiness.h"

namespace fairfs::sched {

/// What a request is expected to take by itself: worked out when it comes to its flow's front, and good for its
/// dispatch too unless the model has changed.
struct Expected {
  std::uint32_t request = kNoIndex;
  bool sequential = false;
  std::uint64_t cost = 0;      ///< ns
  std::uint64_t revision = 0;  ///< of the model
};

struct Flow {
  RequestList<&HeldRequest::in_flow> queue;
  std::uint32_t queued = 0, in_flight = 0;
  Time waits_since{};      ///< while something is queued: since then it has had nothing
  std::uint64_t debt = 0;  ///< ns charged outside the schedule and not paid yet
  MetadataDebt metadata;   ///< owed for look-ups
  Duration device_time{};
  StreamPositions positions;
  Seekiness seekiness;
  Anticipation anticipation;
  Injection injection;
  MeanTime alone;  ///< in the disk, of requests that met no guests (guests.h)
  ServiceClass service = ServiceClass::best_effort;
  bool listed = false;           ///< in State::awaited
  bool on_loan = false;          ///< of the class above meanwhile: see loans.h
  std::uint64_t loan_bytes = 0;  ///< that it may read yet
  std::uint64_t loan_run = 0;    ///< bytes read in order since the last jump, or since the loan began
  Operation last_operation = Operation::read;
  std::uint64_t last_cost = 0;  ///< ns; what its next request is expected to cost
  Expected expected;            ///< of the last request looked at, until one leaves the queue
  Unsettled unsettled;          ///< what a head took beyond the charges (head_time.h)
  std::uint64_t held = 0;       ///< ns for which the disk stood still waiting for it, not charged yet

  /// What goes towards the debt with a request of `cost`: as much again at most. The flow goes on at half its share or
  /// better until it has paid, instead of standing still for the whole debt.
  [[nodiscard]] std::uint64_t instalment(std::uint64_t cost) const {
    return on_loan ? 0 : std::min(debt + metadata.owed(), cost);
  }
  /// No more than it owes.
  void pay(std::uint64_t device_time) {
    const std::uint64_t first = std::min(debt, device_time);
    debt -= first;
    metadata.pay(device_time - first);
  }

  [[nodiscard]] bool continues(const HeldRequest& request) const {
    return positions.continues(request.inode, request.offset, request.bytes);
  }
  [[nodiscard]] static std::uint64_t cost_of(const HeldRequest& request, bool sequential, const CostModel& model) {
    return request.buffered ? model.write_behind(request.bytes, sequential)
                            : model.cost(request.operation, request.bytes, sequential);
  }
  /// Of a queued request.
  const Expected& expect(std::uint32_t index, const Requests& requests, const CostModel& model) {
    if (expected.request == index && expected.revision == model.revision()) return expected;
    const HeldRequest& request = requests[index];
    const bool sequential = continues(request);
    return expected = {index, sequential, cost_of(request, sequential, model), model.revision()};
  }
  /// What the request at the head of the queue will be charged; 0 without one.
  [[nodiscard]] std::uint64_t next_charge(const Requests& requests, const CostModel& model) {
    if (queue.empty()) return 0;
    const std::uint64_t cost = unsettled.charge(expect(queue.front(), requests, model).cost);
    return cost + instalment(cost) + held;
  }
};

}  // namespace fairfs::sched
