// Start-up: who gets a loan, and when it ends.
#include "sched/loans.h"

#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {

void Scheduler::State::consider_loan(const Request& request, Time now) {
  const auto node = static_cast<std::uint32_t>(request.flow);
  Flow& flow = flow_of(node);
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

// What the others are given meanwhile is more than their share by what was a holder's due.
void Scheduler::State::pay_while_lent(std::uint64_t spent) {
  for (const std::uint32_t node : loans.holders()) {
    const std::uint64_t share = trees.of(ServiceClass::best_effort).share(node);
    if (flow_of(node).queued != 0 && share < Tree::kShareOne)
      flow_of(node).pay(spent * share / (Tree::kShareOne - share));
  }
}

void Scheduler::State::account_loan(std::uint32_t node, std::uint64_t spent, std::uint64_t bytes, Time now) {
  Flow& flow = flow_of(node);
  if (!flow.on_loan) {
    if (flow.service == ServiceClass::realtime) loans.served_realtime(now);
    if (flow.service == ServiceClass::best_effort) {
      loans.served(spent, now);
      pay_while_lent(spent);
    }
    return;
  }
  flow.debt += spent;
  flow.loan_bytes -= std::min(flow.loan_bytes, bytes);
  loans.lent(spent);
  if (flow.loan_bytes == 0 || loans.spent()) end_loan(node);
}

}  // namespace fairfs::sched
