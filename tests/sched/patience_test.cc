// What deadlines and a turn have given others is not paid by a flow that has had nothing for ever so long.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "tests/sched/modelled_disks.h"
#include "tests/sim/oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Duration;
using sched::kRoot;
using sched::NodeId;
using sched::Time;
using sched::Weight;

Workload streams(std::uint32_t outstanding, bool bounded_wait) {
  Workload workload;
  workload.outstanding = outstanding;
  workload.bytes_min = workload.bytes_max = 64 * 1024;
  workload.sequential = true;
  workload.bounded_wait = bounded_wait;
  return workload;
}

/// The longest time that a flow, always backlogged, had nothing.
class LongestWait final : public Oracle {
 public:
  void dispatched(const Simulation& simulation, NodeId flow, const sched::Dispatch&, Duration) override {
    if (flow != watched) return;
    longest_ = std::max(longest_, simulation.now() - last_);
    last_ = simulation.now();
  }
  [[nodiscard]] Duration at_last(Time now) const { return std::max(longest_, now - last_); }
  [[nodiscard]] std::vector<std::string> failures(const Simulation&) const override { return {}; }

  NodeId watched{};

 private:
  Duration longest_{};
  Time last_{};
};

/// A group due a fiftieth of the disk, of which two small siblings that have deadlines take more. The third is due
/// nearly all of what the group is due.
Duration longest_wait(bool patience) {
  ModelledDisk disk = hard_disk();
  disk.config.features.patience = patience;
  Simulation simulation(disk.config, disk.device, Seed{1});
  LongestWait wait;
  simulation.watch(wait);
  simulation.add_flow(kRoot, 9800, streams(4, false));
  const NodeId group = simulation.add_group(kRoot, 200);
  for (int i = 0; i < 2; ++i) simulation.add_flow(group, 10, streams(4, true));
  wait.watched = simulation.add_flow(group, 7000, streams(2, false));
  simulation.run_for(60s);
  return wait.at_last(simulation.now());
}

// 10 s, and 4 x 50 x (48 ms + 0.5 ms) until a turn is earned: 19.7 s. A turn may be under way then.
TEST(Patience, DeadlinesDoNotStarveASibling) {
  EXPECT_GT(longest_wait(false), 40s);
  EXPECT_LT(longest_wait(true), 20s);
}

/// Likewise, of a group that is due three hundredths; with `starts` a random reader starts beside it after 3 s. It
/// reads little at a time, so its loan lasts for 22 s.
Duration longest_wait_beside_a_start(bool starts) {
  const ModelledDisk disk = hard_disk();
  Simulation simulation(disk.config, disk.device, Seed{1});
  LongestWait wait;
  simulation.watch(wait);
  simulation.add_flow(kRoot, 9700, streams(4, false));
  const NodeId group = simulation.add_group(kRoot, 300);
  for (int i = 0; i < 2; ++i) simulation.add_flow(group, 10, streams(4, true));
  wait.watched = simulation.add_flow(group, 10'000, streams(2, false));
  Workload start;
  start.outstanding = 3;
  start.bytes_min = start.bytes_max = 16 * 1024;
  start.think = 17ms;
  start.start = 3s;
  if (starts) simulation.add_flow(kRoot, 1, start);
  simulation.run_for(60s);
  return wait.at_last(simulation.now());
}

// 10 s, and 4 x 34 x (48 ms + 0.5 ms): 16.6 s. Who has a loan is not of a class above: with that it were 24.4 s.
TEST(Patience, ALoanMakesNobodyWaitForLonger) {
  EXPECT_GT(longest_wait_beside_a_start(false), 16s);
  EXPECT_LT(longest_wait_beside_a_start(false), 17s);
  EXPECT_LT(longest_wait_beside_a_start(true), 17s);
}

}  // namespace
}  // namespace fairfs::test
