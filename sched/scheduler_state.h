// The parts of a Scheduler and the steps they share.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/blocked_nodes.h"
#include "sched/class_floors.h"
#include "sched/class_presence.h"
#include "sched/class_trees.h"
#include "sched/cost.h"
#include "sched/cost_correction.h"
#include "sched/deadline_queue.h"
#include "sched/flow.h"
#include "sched/guests.h"
#include "sched/interleaving.h"
#include "sched/limit_table.h"
#include "sched/loans.h"
#include "sched/scheduler.h"
#include "sched/slices.h"
#include "sched/work_limit.h"
#include "sched/write_gate.h"

namespace fairfs::sched {

struct Scheduler::State {
  explicit State(const SchedulerConfig& config);

  Policy policy;
  Features features;
  bool exclusive;  ///< flows take turns
  CostModel model;
  CostCorrection correction;
  std::uint32_t depth;
  ClassTrees trees;
  ClassFloors floors;
  Slab<Flow> flows;
  Requests requests;
  /// Requests that a deadline applies to; with Policy::off all of them, in order of arrival. Those of flows with a
  /// ceiling are apart: one that its ceiling holds back is not late.
  DeadlineQueue by_age, by_age_limited;
  WriteGate gate;
  Guests guests;
  WorkLimit work;
  HeadTime head;
  std::vector<std::uint32_t> queued_syncs;  ///< in order of arrival
  std::uint32_t queued = 0, in_flight = 0, backlogged_flows = 0, patrolled = 0;
  FirstReturns first_returns;

  [[nodiscard]] Flow& flow_of(std::uint32_t node) { return flows[trees.flow(node)]; }
  void make_room_for_node(std::uint32_t parent, bool is_flow);
  void make_room_for_request(Operation operation);
  [[nodiscard]] HeldRequest& held(RequestId id);
  /// The request is in its flow's queue and waits for its age; nothing is counted yet.
  std::uint32_t enqueue(const Request& request, Time now);
  [[nodiscard]] std::uint64_t claim_of(std::uint32_t node, Time now);  ///< of one that has nothing queued till now
  /// Takes a queued request out of its queues. The tree isn't told.
  void unlink(std::uint32_t index);
  /// Tells the tree what the flow's next request costs, after its queue or debt changed. `claim` of one that returns.
  void refresh(std::uint32_t node, std::uint64_t claim = 0);
  /// The list by age that a request is in, or would be.
  [[nodiscard]] DeadlineQueue& aged(std::uint32_t index) { return requests[index].limited ? by_age_limited : by_age; }
  [[nodiscard]] std::uint32_t overdue(Time now);    ///< request that may start, its deadline passed; kNoIndex: none
  [[nodiscard]] std::uint32_t neglected(Time now);  ///< see patience.cc
  [[nodiscard]] bool gated(std::uint32_t index, Time now) const {
    return requests[index].buffered && gate.blocks(requests[index].bytes, now);
  }
  /// A flush, its flow's first, that goes down now whoever's turn it is: with those in the disk, or because its flow
  /// has had no more than its share. kNoIndex without one.
  [[nodiscard]] std::uint32_t ready_sync(Time now);
  /// The gate keeps the place of what it holds back.
  [[nodiscard]] Decision dispatch_unless_gated(std::uint32_t index, Time now) {
    if (gated(index, now)) return Sleep{Sleep::Reason::writes, gate.blocked_until(now)};
    return dispatch(index, now, false);
  }
  /// Tells the gate, and the model what a flush costs and how slow the disk is.
  void measure_head(const HeldRequest& request, Time now);
  void left_disk(const HeldRequest& request, Time now);
  Dispatch dispatch(std::uint32_t index, Time now, bool promoted);

  // Loans (loans.cc).
  Loans loans;
  void consider_loan(const Request& request, Flow& flow, Time now);  ///< that is about to be queued
  void end_loan(std::uint32_t node);
  void end_paused_loans(Time now);
  void go_on_as_stream(std::uint32_t node, Time now);
  void account_loan(const HeldRequest& request, Flow& flow, std::uint64_t spent, Time now);
  void spend_loan(const HeldRequest& request, Flow& flow, std::uint64_t spent, Time now);
  void repay_holders(std::uint64_t spent);
  void set_class(std::uint32_t node, ServiceClass service);

  // Metadata (metadata.cc).
  std::int64_t metadata_at_once;  ///< look-ups that the disk serves in the time of one
  /// Part of the disk that is due to the flow beside those who want it now, whether it is one of them or not.
  [[nodiscard]] std::uint64_t share_beside_others(std::uint32_t node, Time now);
  /// What has passed while the flow had nothing in the disk pays its debt.
  void settle_metadata(std::uint32_t node, Time now);
  Duration charge_metadata(std::uint32_t node, Duration blocked, Time now);
  [[nodiscard]] Duration metadata_delay(std::uint32_t node, Time now);

  // Floors and ceilings (ceilings.cc, floors.cc).
  LimitTable limits;
  BlockedNodes blocked;
  std::int64_t floor_credit;                 ///< ns that floors may take yet
  bool by_floor = false, injecting = false;  ///< what the dispatch under way is
  template <typename Do>
  void each_limited(std::uint32_t node, Do what) const {
    limits.each_above(trees, node, what);
  }
  void set_limits(std::uint32_t node, const Limits& limits, Time now);
  void settle_ceilings(Time now);  ///< afterwards the best leaf of each class may start by its ceilings
  /// Nothing that is queued may start.
  [[nodiscard]] bool all_limited(Time now) {
    if (limits.empty()) return false;
    settle_ceilings(now);
    return !trees.any_backlogged();
  }
  [[nodiscard]] Sleep wait_for_ceilings() const { return {Sleep::Reason::limited, blocked.until()}; }
  /// Whether the flow's first request, or another that is brought forward, may start; else the flow is blocked.
  [[nodiscard]] bool admitted(std::uint32_t leaf, Time now);
  /// Has something queued that its ceilings let go.
  [[nodiscard]] bool startable(std::uint32_t leaf, Time now);
  void unblock(std::uint32_t node);
  void unblock_path(std::uint32_t leaf);
  /// The flow with the longest due floor; kNoIndex: none is due.
  [[nodiscard]] std::uint32_t floor_due(Time now);
  [[nodiscard]] Decision dispatch_for_floor(std::uint32_t leaf, Time now);
  // Latencies (promises.cc).
  std::uint32_t others_in_flight = 0;  ///< requests of flows without one
  [[nodiscard]] bool is_promised(std::uint32_t leaf) const;
  /// The leaf has no latency, and those without have as many in the disk as those with one bear.
  [[nodiscard]] bool others_wait(std::uint32_t leaf, Time now) const;
  /// One with a latency that may start and has had no more than its share; kNoIndex without.
  [[nodiscard]] std::uint32_t promised_leaf(Time now);
  /// Ends turns that were long enough for one, and opens its own; kNoIndex: none comes before the turns under way.
  [[nodiscard]] std::uint32_t turn_for_promised(Time now);
  void ended_promised(const HeldRequest& request, Time now);

  // Where nothing has turns (shared.cc).
  ClassPresence presence;
  [[nodiscard]] Decision next_shared(Time now);
  /// What comes next is of the highest class there is, and guests of it are in the disk: they must not fill it.
  [[nodiscard]] bool host_next(Time now) {
    return guests.any() && trees.any_backlogged() && presence.higher_until(choose_class(now)) <= now;
  }
  void started_beside(HeldRequest& request, ServiceClass service, Time now);
  void ended_beside(const HeldRequest& request, Flow& flow, Time now);

  [[nodiscard]] ServiceClass choose_class(Time now) {
    return floors.choose([this](unsigned service) { return trees.backlogged(service); }, now);
  }

  // Turns (exclusive.cc).
  SliceLengths lengths;
  Interleaving interleaving;
  std::uint32_t slices_max;
  std::vector<Slice> slices;
  std::vector<std::uint32_t> awaited;  ///< nodes; looked through at each decision for those no longer awaited
  std::uint32_t held_for = kNoIndex;   ///< the disk stands still for this node
  Time held_since{};

  // Injection (injection.cc).
  std::uint32_t injected = 0;  ///< in the disk
  [[nodiscard]] bool may_inject(std::uint32_t awaited, std::uint32_t node, Time now);
  [[nodiscard]] Dispatch inject(std::uint32_t awaited, std::uint32_t node, Time now);
  void started_while_held(HeldRequest& request, Flow& flow);
  void ended_while_held(const HeldRequest& request, Flow& flow, Time now);

  [[nodiscard]] Decision next_turn(Time now);
  void shorten_slices(std::uint32_t newcomer);  ///< to what they are beside it, who has something queued since now
  [[nodiscard]] Duration length_of(const Slice& slice);  ///< device time that is due now to the turn's owner
  void join(std::uint32_t index);                        ///< the turn whose stream this queued request continues
  [[nodiscard]] Slice* slice_of(std::uint32_t node);     ///< that its requests are served in; null: none
  [[nodiscard]] std::uint32_t laggard(const Slice& slice, const HeldRequest& next, Time now);  ///< kNoIndex: none
  void await(std::uint32_t node);
  /// The disk does not stand still any more: whom it was held for owes the time.
  void end_hold(Time now);
  void forget(std::uint32_t node);  ///< nothing of turns refers to the node any more

 private:
  [[nodiscard]] std::uint32_t others_allowed(Time now) const;
  [[nodiscard]] std::uint64_t claim_among_turns(std::uint32_t node, Time now);
  void open_slice(std::uint32_t node, Time now, Duration at_least = {});
  void gather();  ///< those with something queued near a turn's stream join it
  void drop_slices(Time now);
  void end_outranked(ServiceClass service);  ///< turns of classes below the one to serve
  void drop_awaited(Time now);
  /// The flow's next request belongs to a stream that must not be interleaved.
  [[nodiscard]] bool has_turns(std::uint32_t node);
  [[nodiscard]] bool beside_higher(std::uint32_t node, Time now);
  [[nodiscard]] bool alive(const Slice& slice, Time now);
  [[nodiscard]] bool queued_in(const Slice& slice, std::uint32_t node, Time now);
  [[nodiscard]] std::uint32_t next_in(Slice& slice, Time now);
  [[nodiscard]] bool may_promote(Time now);
  [[nodiscard]] std::uint32_t hold_before(std::uint32_t node);
  [[nodiscard]] Sleep hold(std::uint32_t node, Time until, Time now);
  [[nodiscard]] Sleep wait_for_slices(Time now);
};

}  // namespace fairfs::sched
