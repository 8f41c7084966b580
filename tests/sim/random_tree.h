// Three-level trees of shares with random weights and workloads.
#pragma once

#include <vector>

#include "sched/scheduler.h"
#include "tests/sim/seed.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {

enum class Mix {
  backlogged,  ///< every flow always has something queued
  any          ///< backlogged, thinking and bursty flows side by side
};

struct RandomWorld {
  sched::SchedulerConfig config;
  DeviceModel device;
};
/// Depth 1..32, a disk of one to `depth` channels that keeps to the cost model or is off by up to 30 %.
RandomWorld random_world(Random& random);
/// 1..10000, small ones as likely as large ones.
sched::Weight random_weight(Random& random);
/// Some flows beside some groups at each level. The flows.
std::vector<sched::NodeId> grow_random_tree(Simulation& simulation, Random& random, Mix mix);

}  // namespace fairfs::test
