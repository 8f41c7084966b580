#include "tests/sim/books_oracle.h"

#include <algorithm>

#include "tests/sim/simulation.h"

namespace fairfs::test {

void BooksOracle::submitted(const Simulation&, sched::NodeId flow, std::uint64_t cookie) {
  queues_[flow].push_back(cookie);
  ++queued_;
}

void BooksOracle::dispatched(const Simulation&, sched::NodeId flow, const sched::Dispatch& dispatch,
                             sched::Duration charged) {
  std::deque<std::uint64_t>& queue = queues_[flow];
  const auto found = std::find(queue.begin(), queue.end(), dispatch.cookie);
  if (found == queue.end()) {
    failures_.push_back("dispatched a request that is not queued: " + std::to_string(dispatch.cookie));
    return;
  }
  if (found != queue.begin() && !dispatch.promoted) {
    failures_.push_back("request " + std::to_string(dispatch.cookie) + " overtook an older one of its flow");
  }
  if (charged <= sched::Duration::zero()) failures_.push_back("a request was charged nothing");
  queue.erase(found);
  --queued_;
  in_flight_[dispatch.cookie] = flow;
}

void BooksOracle::completed(const Simulation&, sched::NodeId, std::uint64_t cookie) {
  if (in_flight_.erase(cookie) == 0) failures_.push_back("completed twice: " + std::to_string(cookie));
}

void BooksOracle::slept(const Simulation& simulation, const sched::Sleep& sleep) {
  const bool full = in_flight_.size() >= simulation.depth();
  using Reason = sched::Sleep::Reason;
  const bool holds = (sleep.reason == Reason::anticipating && simulation.may_hold()) || sleep.reason == Reason::limited;
  if (queued_ > 0 && !full && !holds) failures_.push_back("slept with a request queued and a slot free");
  if (holds && sleep.until <= simulation.now()) failures_.push_back("wants to be woken in the past");
  const auto reason = queued_ == 0 ? Reason::empty : holds && !full ? sleep.reason : Reason::depth;
  if (sleep.reason != reason) failures_.push_back("gave the wrong reason for sleeping");
  if (in_flight_.size() > simulation.depth()) failures_.push_back("more in flight than slots");
}

std::vector<std::string> BooksOracle::failures(const Simulation&) const { return failures_; }

}  // namespace fairfs::test
