// Weighted fairness between every two siblings while both are backlogged.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/sim/oracle.h"

namespace fairfs::test {

/// For siblings i and j, flows or groups, and every stretch of time in which both always had something queued:
/// |s_i/w_i - s_j/w_j| <= 2 (c_i/w_i + c_j/w_j) of dispatched requests; of completed ones (D+1), as scheduler.h says.
/// Follows the difference from the stretch's begin and keeps its lowest and highest value, so that every shorter
/// stretch within is judged too. Charges change nothing else: call it without debts and without deadlines, which move
/// service on purpose.
class PairwiseOracle : public Oracle {
 public:
  void submitted(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override;
  void dispatched(const Simulation& simulation, sched::NodeId flow, const sched::Dispatch& dispatch,
                  sched::Duration charged) override;
  void reweighted(const Simulation& simulation, sched::NodeId node) override;
  [[nodiscard]] std::vector<std::string> failures(const Simulation& simulation) const override;
  /// How much of the bound the worst pair used, 0..1 when it held. Weights changed meanwhile are not in here.
  [[nodiscard]] double worst(const Simulation& simulation) const;

 private:
  struct Pair {
    double difference = 0, low = 0, high = 0;
    double range_max = 0;  // of the stretches that are over and this one
  };
  using Key = std::pair<std::uint32_t, std::uint32_t>;  // lower index first

  void end_stretches(const Simulation& simulation, std::uint32_t node);
  [[nodiscard]] static double bound(const Simulation& simulation, const Key& key);

  std::map<Key, Pair> pairs_;
};

}  // namespace fairfs::test
