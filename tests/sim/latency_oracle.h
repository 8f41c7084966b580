// How long each flow's requests took, from submit to end.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "tests/sim/oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {

class LatencyOracle : public Oracle {
 public:
  void submitted(const Simulation& simulation, sched::NodeId, std::uint64_t cookie) override {
    since_[cookie] = simulation.now();
  }
  void completed(const Simulation& simulation, sched::NodeId flow, std::uint64_t cookie) override {
    took_[flow].push_back(simulation.now() - since_.extract(cookie).mapped());
  }
  [[nodiscard]] std::vector<std::string> failures(const Simulation&) const override { return {}; }

  /// Nobody's latencies count from before now.
  void reset() { took_.clear(); }
  /// Milliseconds that `fraction` of the flow's requests did not exceed.
  [[nodiscard]] double percentile(sched::NodeId flow, double fraction) const {
    const auto found = took_.find(flow);
    if (found == took_.end()) return 0;
    std::vector<sched::Duration> sorted = found->second;
    std::sort(sorted.begin(), sorted.end());
    const auto place = static_cast<std::size_t>(fraction * static_cast<double>(sorted.size() - 1));
    return std::chrono::duration<double, std::milli>(sorted[place]).count();
  }

 private:
  std::unordered_map<std::uint64_t, sched::Time> since_;
  std::map<sched::NodeId, std::vector<sched::Duration>> took_;
};

}  // namespace fairfs::test
