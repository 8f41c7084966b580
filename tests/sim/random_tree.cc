#include "tests/sim/random_tree.h"

#include <algorithm>

namespace fairfs::test {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;

constexpr unsigned kLevels = 3;

sched::Duration random_time(Random& random, microseconds longest) {
  return microseconds{random.between(1, static_cast<std::uint64_t>(longest.count()))};
}

Workload random_workload(const Simulation& simulation, Random& random, Mix mix) {
  Workload workload;
  workload.outstanding = simulation.depth() + static_cast<std::uint32_t>(random.between(1, 4));
  workload.bytes_min = 4096 * random.between(1, 4);
  workload.bytes_max = workload.bytes_min * random.between(1, 64);
  workload.operation = random.chance(70) ? sched::Operation::read : sched::Operation::write;
  workload.sequential = random.chance(50);
  if (mix == Mix::backlogged || random.chance(40)) return workload;
  workload.outstanding = static_cast<std::uint32_t>(random.between(1, 8));
  workload.start = random_time(random, milliseconds{50});
  if (random.chance(50)) {
    workload.think = random_time(random, milliseconds{5});
  } else {
    workload.busy = random_time(random, milliseconds{50});
    workload.pause = random_time(random, milliseconds{50});
  }
  return workload;
}

void grow(Simulation& simulation, Random& random, Mix mix, sched::NodeId parent, unsigned level,
          std::vector<sched::NodeId>& flows) {
  const std::uint64_t children = random.between(2, 5);
  for (std::uint64_t child = 0; child < children; ++child) {
    if (level < kLevels && random.chance(60)) {
      grow(simulation, random, mix, simulation.add_group(parent, random_weight(random)), level + 1, flows);
    } else {
      flows.push_back(simulation.add_flow(parent, random_weight(random), random_workload(simulation, random, mix)));
    }
  }
}

}  // namespace

RandomWorld random_world(Random& random) {
  RandomWorld world;
  world.config.profile.depth = static_cast<std::uint32_t>(random.between(1, 32));
  world.device.channels = static_cast<std::uint32_t>(random.between(1, world.config.profile.depth));
  world.device.noise_percent = random.chance(50) ? 30 : 0;
  return world;
}

sched::Weight random_weight(Random& random) {
  std::uint64_t decade = 1;
  for (std::uint64_t steps = random.between(0, 3); steps > 0; --steps) decade *= 10;
  return static_cast<sched::Weight>(std::min<std::uint64_t>(random.between(decade, 10 * decade), sched::kWeightMax));
}

std::vector<sched::NodeId> grow_random_tree(Simulation& simulation, Random& random, Mix mix) {
  std::vector<sched::NodeId> flows;
  grow(simulation, random, mix, sched::kRoot, 1, flows);
  return flows;
}

}  // namespace fairfs::test
