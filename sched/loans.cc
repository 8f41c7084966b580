// Start-up: who gets a loan, and when it ends.
#include "sched/loans.h"

#include <algorithm>
#include <optional>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

void Scheduler::State::consider_loan(const Request& request, Flow& flow, Time now) {
  const auto node = static_cast<std::uint32_t>(request.flow);
  const bool reads = request.operation == Operation::read;
  if (flow.service == ServiceClass::realtime && !flow.on_loan) {
    while (!loans.holders().empty()) end_loan(loans.holders().back());
  }
  end_paused_loans(now);
  if (flow.on_loan) {
    // A program that starts waits for each answer, or for what the kernel reads ahead.
    if (!reads || flow.queued + flow.in_flight >= kLoanRequests) end_loan(node);
    return;
  }
  if (!reads || flow.service != ServiceClass::best_effort || flow.queued + flow.in_flight != 0) return;
  // What it owes for look-ups is no hindrance: a program that starts has just looked for itself on a cold disk.
  if (!flow.anticipation.new_or_away(kLoanAfter, now)) return;
  loans.start(now);
  if (flow.debt != 0) return;
  if (!loans.offered(now) || (loans.holders().empty() && trees.wanted(0))) return;
  set_class(node, ServiceClass::realtime);
  flow.on_loan = true;
  flow.loan_bytes = kLoanBytes;
  flow.loan_run = 0;
  loans.begin(node);
  floors.set_lent(exclusive);
}

void Scheduler::State::end_paused_loans(Time now) {
  for (std::size_t i = loans.holders().size(); i-- > 0;) {
    const Flow& holder = flow_of(loans.holders()[i]);
    const bool idle = holder.queued + holder.in_flight == 0;
    if (idle && holder.anticipation.new_or_away(kLoanPause, now)) end_loan(loans.holders()[i]);
  }
}

void Scheduler::State::end_loan(std::uint32_t node) {
  flow_of(node).on_loan = false;
  loans.end(node);
  if (loans.holders().empty()) floors.set_lent(false);
  set_class(node, ServiceClass::best_effort);
}

// Its turn becomes one of its own class, as long as those are: to end it here would cost two switches more.
void Scheduler::State::go_on_as_stream(std::uint32_t node, Time now) {
  Flow& flow = flow_of(node);
  const Slice* const found = slice_of(node);
  std::optional<Slice> turn;
  if (found != nullptr && found->owner == node) turn = *found;
  end_loan(node);
  if (!turn) return;
  turn->service = flow.service;
  const Duration length = length_of(*turn);
  turn->ends += length - Duration{static_cast<Duration::rep>(turn->length)};
  turn->length = static_cast<std::uint64_t>(length.count());
  slices.push_back(*turn);
  if (flow.queued != 0 || !features.anticipation) return;
  flow.anticipation.dispatched(now);
  await(node);
}

void Scheduler::State::account_loan(const HeldRequest& request, Flow& flow, std::uint64_t spent, Time now) {
  if (flow.on_loan) return spend_loan(request, flow, spent, now);
  if (flow.service == ServiceClass::realtime) loans.served_realtime(now);
  if (flow.service != ServiceClass::best_effort) return;
  loans.served(spent, now);
  if (!loans.holders().empty()) repay_holders(spent);
}

// What the others are given meanwhile is more than their share by what was a holder's due.
void Scheduler::State::repay_holders(std::uint64_t spent) {
  for (const std::uint32_t node : loans.holders()) {
    const std::uint64_t share = trees.of(ServiceClass::best_effort).share(node);
    if (flow_of(node).queued != 0 && share < Tree::kShareOne)
      flow_of(node).pay(spent * share / (Tree::kShareOne - share));
  }
}

void Scheduler::State::spend_loan(const HeldRequest& request, Flow& flow, std::uint64_t spent, Time now) {
  flow.debt += spent;
  flow.loan_bytes -= std::min(flow.loan_bytes, request.bytes);
  flow.loan_run = request.sequential ? flow.loan_run + request.bytes : 0;
  loans.lent(spent);
  const bool stream = flow.loan_run >= kLoanStream;
  // Beside others of little weight it gives way: their turn, begun now, is a long one and spares it short ones later.
  if (stream && trees.of(ServiceClass::best_effort).share(request.flow) < Tree::kShareOne / 3 * 2)
    go_on_as_stream(request.flow, now);
  else if (stream || flow.loan_bytes == 0 || loans.spent())
    end_loan(request.flow);
}

}  // namespace fairfs::sched
