// Random trees and workloads against the bound of scheduler.h, an ideal fluid server, and the books. FAIRFS_SEED=n
// repeats one.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "sched/constants.h"
#include "tests/sched/race.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/pairwise_oracle.h"
#include "tests/sim/random_tree.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::NodeId;

struct Trial {
  explicit Trial(std::uint64_t seed, Mix mix)
      : random(Seed{seed}), world(random_world(random)), simulation(world.config, world.device, Seed{seed}) {
    simulation.watch(pairs);
    simulation.watch(books);
    flows = grow_random_tree(simulation, random, mix);
  }
  [[nodiscard]] std::vector<std::string> objections() const { return failures(simulation, {&pairs, &books}); }

  Random random;
  RandomWorld world;
  PairwiseOracle pairs;
  BooksOracle books;
  Simulation simulation;
  std::vector<NodeId> flows;
};

TEST(Property, BackloggedSiblingsStayWithinTheBoundAtEveryLevel) {
  const auto [first, last] = seeds(200);
  double worst = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Trial run(seed, Mix::backlogged);
    run.simulation.run_for(300ms);
    ASSERT_THAT(run.objections(), testing::IsEmpty());
    worst = std::max(worst, run.pairs.worst(run.simulation));
  }
  RecordProperty("worst_part_of_bound", std::to_string(worst));
  EXPECT_GT(worst, 0.0);  // the oracle did see pairs
}

TEST(Property, FlowsThatComeAndGoStayWithinTheBoundWhileBothAreThere) {
  const auto [first, last] = seeds(200);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Trial run(seed, Mix::any);
    run.simulation.run_for(300ms);
    ASSERT_THAT(run.objections(), testing::IsEmpty());
  }
}

TEST(Property, WeightsThatChangeUnderLoadHoldFromThenOn) {
  const auto [first, last] = seeds(100);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Trial run(seed, Mix::any);
    for (int change = 0; change < 20; ++change) {
      run.simulation.run_for(10ms);
      const auto node = static_cast<std::uint32_t>(run.random.between(1, run.simulation.node_count() - 1));
      run.simulation.set_weight(NodeId{node}, random_weight(run.random));
    }
    ASSERT_THAT(run.objections(), testing::IsEmpty());
  }
}

TEST(Property, DepthThatChangesUnderLoadLosesNothing) {
  const auto [first, last] = seeds(50);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    const RandomWorld world = random_world(random);
    Simulation simulation(world.config, world.device, Seed{seed});
    grow_random_tree(simulation, random, Mix::any);
    for (int change = 0; change < 20; ++change) {
      const auto depth = static_cast<std::uint32_t>(random.between(1, 64));
      simulation.scheduler().set_depth(depth);
      simulation.run_for(10ms);
      std::uint32_t in_flight = 0;
      for (std::uint32_t node = 1; node < simulation.node_count(); ++node) {
        const auto& books = simulation.books(NodeId{node});
        if (books.children.empty()) in_flight += books.dispatched - books.completed;
      }
      ASSERT_EQ(simulation.scheduler().in_flight(), in_flight);
    }
  }
}

// A fluid server gives each child of a busy group weight / (sum of the weights) of what the group gets, exactly and at
// every moment. Summing the bound over the siblings j: |s_i - share_i * s| <= w_i * sum_j share_j (D+1)(c_i/w_i +
// c_j/w_j).
void expect_fluid_shares(const Simulation& simulation, NodeId group) {
  double weights = 0;
  double received = 0;
  for (const NodeId child : simulation.books(group).children) {
    weights += simulation.books(child).weight;
    received += static_cast<double>(simulation.received(child).count());
  }
  for (const NodeId child : simulation.books(group).children) {
    const auto& own = simulation.books(child);
    double slack = 0;
    for (const NodeId other : simulation.books(group).children) {
      if (other == child) continue;
      const auto& books = simulation.books(other);
      slack += books.weight / weights * (simulation.depth() + 1) *
               (static_cast<double>(own.cost_max.count()) / own.weight +
                static_cast<double>(books.cost_max.count()) / books.weight);
    }
    EXPECT_NEAR(static_cast<double>(own.received.count()), received * own.weight / weights, own.weight * slack + 1)
        << "node " << static_cast<std::uint32_t>(child);
    expect_fluid_shares(simulation, child);
  }
}

TEST(Property, BackloggedTreesGetWhatAnIdealFluidServerWouldGive) {
  const auto [first, last] = seeds(200);
  for (std::uint64_t seed = first; seed <= last && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Trial run(seed, Mix::backlogged);
    run.simulation.run_for(300ms);
    expect_fluid_shares(run.simulation, sched::kRoot);
  }
}

// Where flows take turns, a turn takes the place of a request in the bound: each may be ahead of its share by one.
TEST(Property, TurnsKeepSiblingsWithinATurnEach) {
  const auto [first, last] = seeds(60);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    const ModelledDisk disk = hard_disk();
    Simulation simulation(disk.config, disk.device, Seed{seed});
    BooksOracle books;
    simulation.watch(books);
    for (std::uint64_t flows = random.between(2, 8); flows > 0; --flows) {
      Workload workload = reader(std::chrono::microseconds{random.between(10, 1000)});
      workload.outstanding = static_cast<std::uint32_t>(random.between(1, 4));
      workload.sequential = random.chance(80);
      simulation.add_flow(sched::kRoot, static_cast<sched::Weight>(random.between(1, 10) * 100), workload);
    }
    simulation.run_for(60s);
    ASSERT_THAT(failures(simulation, {&books}), testing::IsEmpty());
    const auto& children = simulation.books(sched::kRoot).children;
    for (std::size_t i = 1; i < children.size(); ++i) {
      const auto& one = simulation.books(children[i - 1]);
      const auto& other = simulation.books(children[i]);
      const double turn = 2.0 * static_cast<double>(sched::Duration(sched::kNewcomerWait).count());
      EXPECT_NEAR(static_cast<double>(one.received.count()) / one.weight,
                  static_cast<double>(other.received.count()) / other.weight, turn / one.weight + turn / other.weight);
    }
  }
}

// No buffered request waits past its deadline by more than the turn and the request that it finds in the disk.
TEST(Property, DeadlinesHoldAmongTurns) {
  const auto [first, last] = seeds(60);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    const ModelledDisk disk = hard_disk();
    Simulation simulation(disk.config, disk.device, Seed{seed});
    for (std::uint64_t flows = random.between(2, 8); flows > 0; --flows) {
      Workload workload = reader(std::chrono::microseconds{random.between(10, 20'000)});
      workload.sequential = random.chance(50);
      workload.bounded_wait = true;
      workload.service = static_cast<sched::ServiceClass>(random.between(0, 2));
      simulation.add_flow(sched::kRoot, random_weight(random), workload);
    }
    simulation.run_for(30s);
    for (const NodeId flow : simulation.books(sched::kRoot).children) {
      EXPECT_GT(simulation.books(flow).completed, 10U);
      EXPECT_LT(simulation.books(flow).waited_max, disk.config.max_wait + sched::kNewcomerWait);
    }
  }
}

TEST(Property, TheSameSeedGivesTheSameRun) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Trial one(seed, Mix::any);
    Trial two(seed, Mix::any);
    one.simulation.run_for(200ms);
    two.simulation.run_for(200ms);
    for (const NodeId flow : one.flows) ASSERT_EQ(one.simulation.received(flow), two.simulation.received(flow));
  }
}

}  // namespace
}  // namespace fairfs::test
