// What one decision costs: complete + next + submit in a tree of three levels with every flow backlogged.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <utility>
#include <variant>
#include <vector>

#include "sched/scheduler.h"

namespace fairfs::sched {
namespace {

constexpr std::uint64_t kRequestBytes = 4096;

/// Groups of groups of flows, the cube root of `flows` at each level; random weights, and offsets that continue
/// nothing.
class BackloggedTree {
 public:
  explicit BackloggedTree(std::uint32_t flows) : scheduler_(SchedulerConfig{}) {
    const auto fan = static_cast<std::uint32_t>(std::ceil(std::cbrt(flows)));
    while (flows_.size() < flows) {
      const NodeId outer = scheduler_.add_group(kRoot, weight());
      for (std::uint32_t i = 0; i < fan; ++i) {
        const NodeId inner = scheduler_.add_group(outer, weight());
        for (std::uint32_t j = 0; j < fan && flows_.size() < flows; ++j) {
          flows_.push_back(scheduler_.add_flow(inner, weight()));
        }
      }
    }
    // Two requests a flow: whoever is served still has one waiting.
    for (std::uint64_t flow = 0; flow < flows; ++flow) submit(flow);
    for (std::uint64_t flow = 0; flow < flows; ++flow) submit(flow);
    Decision decision;
    while (decision = scheduler_.next({}), std::holds_alternative<Dispatch>(decision)) dispatched(decision);
  }

  void step() {
    scheduler_.complete(in_flight_[oldest_], {});
    dispatched(scheduler_.next({}));
  }

 private:
  Weight weight() { return std::uniform_int_distribution<Weight>(kWeightMin, kWeightMax)(random_); }
  void submit(std::uint64_t flow) {
    scheduler_.submit({.flow = flows_[flow],
                       .operation = Operation::read,
                       .inode = flow,
                       .offset = random_() * kRequestBytes,
                       .bytes = kRequestBytes,
                       .cookie = flow},
                      {});
  }
  void dispatched(const Decision& decision) {
    const auto& dispatch = std::get<Dispatch>(decision);
    if (in_flight_.size() < DiskProfile{}.depth) {
      in_flight_.push_back(dispatch.id);
    } else {
      in_flight_[oldest_] = dispatch.id;
      oldest_ = (oldest_ + 1) % in_flight_.size();
    }
    submit(dispatch.cookie);
  }

  std::minstd_rand random_{7};
  Scheduler scheduler_;
  std::vector<NodeId> flows_;
  std::vector<RequestId> in_flight_;  // a ring
  std::size_t oldest_ = 0;
};

void decision(benchmark::State& state) {
  BackloggedTree tree(static_cast<std::uint32_t>(state.range(0)));
  for (auto unused : state) tree.step();
}
BENCHMARK(decision)->Arg(10)->Arg(1'000)->Arg(100'000);

}  // namespace
}  // namespace fairfs::sched

BENCHMARK_MAIN();
