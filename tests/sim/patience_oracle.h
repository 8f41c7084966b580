// Nobody waits longer than his weight and class explain, and the disk does not stand still before a queue.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/sim/oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {

/// Three promises, each by a bound that follows from the weights and the profile alone:
/// - A flow that always has something queued is served at least every `explained`: its largest request, or the shortest
///   turn, over the least part of the disk that it can be due (all siblings busy, all higher classes too), with as much
///   for what others may be ahead at each level.
/// - A bounded request starts within max_wait, or two rounds, and what was due before it: all that is queued then.
/// - With something queued and nothing in the disk it sleeps no longer than a flow is waited for.
class PatienceOracle final : public Oracle {
 public:
  PatienceOracle(const sched::SchedulerConfig& config, std::map<sched::NodeId, Workload>& programs)
      : config_(config), programs_(programs) {}

  void submitted(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override;
  void dispatched(const Simulation& simulation, sched::NodeId flow, const sched::Dispatch& dispatch,
                  sched::Duration charged) override;
  void completed(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override;
  /// Of what still waits, too.
  [[nodiscard]] std::vector<std::string> failures(const Simulation& simulation) const override;

 private:
  struct Waiting {
    sched::Time since{};
    sched::Duration longest{}, longest_bounded{};
  };
  [[nodiscard]] sched::Duration explained(const Simulation& simulation, sched::NodeId flow) const;
  [[nodiscard]] sched::Duration bounded(const Simulation& simulation) const;
  [[nodiscard]] double part(const Simulation& simulation, sched::NodeId flow) const;

  const sched::SchedulerConfig config_;
  const std::map<sched::NodeId, Workload>& programs_;
  std::map<sched::NodeId, Waiting> waiting_;
  std::uint32_t queued_ = 0, in_disk_ = 0;
  sched::Time still_since_{};
  sched::Duration still_longest_{};
};

}  // namespace fairfs::test
