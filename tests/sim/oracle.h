// Somebody who watches a simulation and knows what must be true.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sched/scheduler.h"

namespace fairfs::test {

class Simulation;

class Oracle {
 public:
  virtual ~Oracle() = default;
  virtual void submitted(const Simulation&, sched::NodeId, std::uint64_t /*cookie*/) {}
  /// The books of the simulation already show it.
  virtual void dispatched(const Simulation&, sched::NodeId, const sched::Dispatch&, sched::Duration /*charged*/) {}
  virtual void completed(const Simulation&, sched::NodeId, std::uint64_t /*cookie*/) {}
  /// The node's weight is no longer what it was.
  virtual void reweighted(const Simulation&, sched::NodeId) {}
  /// The scheduler answered Sleep.
  virtual void slept(const Simulation&, const sched::Sleep&) {}

  /// What was not true, in words; empty when all was well.
  [[nodiscard]] virtual std::vector<std::string> failures(const Simulation&) const = 0;
};

}  // namespace fairfs::test
