// Requests are neither lost nor doubled nor kept waiting without a reason.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include "tests/sim/oracle.h"

namespace fairfs::test {

/// Conservation: each submitted request is dispatched once, then completed once. Order: a flow's requests go out in the
/// order they came, unless a deadline brought one forward. Work conservation: the scheduler sleeps only when nothing is
/// queued or all slots are taken, and says which.
class BooksOracle : public Oracle {
 public:
  void submitted(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override;
  void dispatched(const Simulation& simulation, sched::NodeId flow, const sched::Dispatch& dispatch,
                  sched::Duration charged) override;
  void completed(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override;
  void slept(const Simulation& simulation, const sched::Sleep& sleep) override;
  [[nodiscard]] std::vector<std::string> failures(const Simulation& simulation) const override;

 private:
  std::map<sched::NodeId, std::deque<std::uint64_t>> queues_;
  std::map<std::uint64_t, sched::NodeId> in_flight_;
  std::uint64_t queued_ = 0;
  std::vector<std::string> failures_;
};

}  // namespace fairfs::test
