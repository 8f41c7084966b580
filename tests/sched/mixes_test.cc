// Mixes of everything: devices, trees, weights, classes, sizes, think times, buffered and direct. Every promise that
// holds whatever comes. FAIRFS_SEED=n repeats one; FAIRFS_MIXES=10000 runs so many (tests/long.sh mixes).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/sched/modelled_disks.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/pairwise_oracle.h"
#include "tests/sim/patience_oracle.h"
#include "tests/sim/random_tree.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::NodeId;
using sched::ServiceClass;
using std::chrono::microseconds;

std::uint64_t mixes() {
  const char* chosen = std::getenv("FAIRFS_MIXES");
  return chosen == nullptr ? 200 : std::strtoull(chosen, nullptr, 10);
}

class RandomMix {
 public:
  explicit RandomMix(std::uint64_t seed) : random_(Seed{seed}) {
    const std::uint64_t kind = random_.between(0, 3);
    if (kind < 2) {
      const RandomWorld world = random_world(random_);
      config_ = world.config;
      device_ = world.device;
      // What channels do at once is what the profile says.
      config_.profile.parallelism = device_.channels;
      device_.whole_costs = true;
    } else {
      const ModelledDisk disk = kind == 2 ? hard_disk() : raid0();
      config_ = disk.config;
      device_ = disk.device;
    }
    bounded_ = random_.chance(50);
    classes_ = random_.chance(50);
    simulation_ = std::make_unique<Simulation>(config_, device_, Seed{seed});
    grow(sched::kRoot, 1);
    patience_ = std::make_unique<PatienceOracle>(config_, programs_);
    simulation_->watch(*patience_);
    simulation_->watch(books_);
    simulation_->watch(pairs_);
  }
  std::vector<std::string> run() {
    simulation_->run_for(turns() ? 40s : 2s);
    std::vector<const Oracle*> all{patience_.get()};
    // Classes make it wait beside free slots; they, deadlines and turns move service on purpose.
    if (!classes_) all.push_back(&books_);
    if (!classes_ && !bounded_ && !turns()) all.push_back(&pairs_);
    return failures(*simulation_, all);
  }

  [[nodiscard]] std::string description() const {
    std::ostringstream text;
    text << (turns() ? ", turns" : ", no turns") << ", depth " << config_.profile.depth << ", channels or spindles "
         << device_.channels * device_.spindles << (classes_ ? ", classes" : "") << (bounded_ ? ", bounded waits" : "");
    for (const auto& [flow, program] : programs_) {
      text << "\n  flow " << static_cast<std::uint32_t>(flow) << " of "
           << static_cast<std::uint32_t>(simulation_->books(flow).parent) << ", weight "
           << simulation_->books(flow).weight << ", class " << static_cast<unsigned>(program.service) << ", "
           << program.outstanding << " x " << program.bytes_min << ".." << program.bytes_max
           << (program.sequential ? ", in order" : "") << (program.bounded_wait ? ", bounded" : "") << ", thinks "
           << program.think.count() / 1000 << " us";
    }
    return text.str();
  }

 private:
  [[nodiscard]] bool turns() const { return config_.profile.idle; }

  void grow(NodeId parent, unsigned level) {
    for (std::uint64_t child = random_.between(1, 4); child > 0; --child) {
      if (level < 3 && random_.chance(40)) {
        grow(simulation_->add_group(parent, random_weight(random_)), level + 1);
      } else {
        const Workload program = workload();
        programs_.emplace(simulation_->add_flow(parent, random_weight(random_), program), program);
      }
    }
  }

  Workload workload() {
    Workload workload;
    workload.outstanding =
        static_cast<std::uint32_t>(random_.chance(70) ? random_.between(1, 4) : random_.between(1, 64));
    workload.bytes_min = 4096 * random_.between(1, 16);
    workload.bytes_max = workload.bytes_min * random_.between(1, 16);
    workload.operation = random_.chance(70) ? sched::Operation::read : sched::Operation::write;
    workload.sequential = random_.chance(50);
    workload.bounded_wait = bounded_ && random_.chance(50);
    // The kernel reads ahead a few requests; what queues more is direct.
    if (workload.bounded_wait) workload.outstanding = std::min(workload.outstanding, 4U);
    if (classes_) workload.service = static_cast<ServiceClass>(random_.between(0, 2));
    workload.start = microseconds{random_.between(0, turns() ? 10'000'000 : 500'000)};
    if (random_.chance(50)) workload.think = microseconds{random_.between(1, turns() ? 20'000 : 3'000)};
    if (random_.chance(30)) {
      workload.busy = microseconds{random_.between(1, 2'000'000)};
      workload.pause = microseconds{random_.between(1, 4'000'000)};
    }
    return workload;
  }

  Random random_;
  sched::SchedulerConfig config_;
  DeviceModel device_;
  bool bounded_ = false, classes_ = false;
  std::map<NodeId, Workload> programs_;
  BooksOracle books_;
  PairwiseOracle pairs_;
  std::unique_ptr<PatienceOracle> patience_;
  std::unique_ptr<Simulation> simulation_;
};

TEST(Mixes, KeepAllPromises) {
  const auto [first, last] = seeds(mixes());
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    RandomMix mix(seed);
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed) + mix.description());
    EXPECT_THAT(mix.run(), testing::IsEmpty());
  }
}

}  // namespace
}  // namespace fairfs::test
