#include "tests/sim/pairwise_oracle.h"

#include <algorithm>
#include <sstream>

#include "tests/sim/simulation.h"

namespace fairfs::test {
namespace {

std::uint32_t index_of(sched::NodeId node) { return static_cast<std::uint32_t>(node); }
const Simulation::NodeBooks& books_of(const Simulation& simulation, std::uint32_t node) {
  return simulation.books(sched::NodeId{node});
}
double per_weight(sched::Duration time, sched::Weight weight) { return static_cast<double>(time.count()) / weight; }
/// D + 1 at depth 1. At a larger depth D the bound on what was *completed* grows by what the disk holds; what was
/// *dispatched*, which is what this oracle sees, is decided one by one and only grows by what a flow that returns may
/// claim: (D - 1) / 2 of its requests (sched/claim.h).
double dispatch_slack(std::uint32_t depth) { return 2 + (depth - 1) / 2.0; }
/// The oracle's own rounding: it adds millions of doubles of up to 1e10.
constexpr double kRoundingNs = 1e-3;

}  // namespace

void PairwiseOracle::end_stretches(const Simulation& simulation, std::uint32_t node) {
  for (const sched::NodeId sibling : simulation.books(books_of(simulation, node).parent).children) {
    if (index_of(sibling) == node) continue;
    const auto found = pairs_.find(std::minmax(node, index_of(sibling)));
    if (found != pairs_.end()) found->second.difference = found->second.low = found->second.high = 0;
  }
}

void PairwiseOracle::submitted(const Simulation& simulation, sched::NodeId flow, std::uint64_t) {
  for (std::uint32_t node = index_of(flow); node != 0; node = index_of(books_of(simulation, node).parent)) {
    if (books_of(simulation, node).queued == 1) end_stretches(simulation, node);  // a new one begins
  }
}

void PairwiseOracle::dispatched(const Simulation& simulation, sched::NodeId flow, const sched::Dispatch&,
                                sched::Duration charged) {
  for (std::uint32_t node = index_of(flow); node != 0; node = index_of(books_of(simulation, node).parent)) {
    const Simulation::NodeBooks& own = books_of(simulation, node);
    for (const sched::NodeId sibling : simulation.books(own.parent).children) {
      const std::uint32_t other = index_of(sibling);
      if (other == node || books_of(simulation, other).queued == 0) continue;
      Pair& pair = pairs_[std::minmax(node, other)];
      pair.difference += (node < other ? 1 : -1) * per_weight(charged, own.weight);
      pair.low = std::min(pair.low, pair.difference);
      pair.high = std::max(pair.high, pair.difference);
      pair.range_max = std::max(pair.range_max, pair.high - pair.low);
    }
    if (own.queued == 0) end_stretches(simulation, node);
  }
}

void PairwiseOracle::reweighted(const Simulation& simulation, sched::NodeId node) {
  for (const sched::NodeId sibling : simulation.books(simulation.books(node).parent).children) {
    if (sibling != node) pairs_.erase(std::minmax(index_of(node), index_of(sibling)));
  }
}

double PairwiseOracle::bound(const Simulation& simulation, const Key& key) {
  double sum = 0;
  for (const std::uint32_t node : {key.first, key.second}) {
    const Simulation::NodeBooks& books = books_of(simulation, node);
    sum += per_weight(books.cost_max, books.weight);
  }
  return dispatch_slack(simulation.depth()) * sum;
}

double PairwiseOracle::worst(const Simulation& simulation) const {
  double worst = 0;
  for (const auto& [key, pair] : pairs_) worst = std::max(worst, pair.range_max / bound(simulation, key));
  return worst;
}

std::vector<std::string> PairwiseOracle::failures(const Simulation& simulation) const {
  std::vector<std::string> failures;
  for (const auto& [key, pair] : pairs_) {
    if (pair.range_max <= bound(simulation, key) + kRoundingNs) continue;
    std::ostringstream text;
    text << "nodes " << key.first << " and " << key.second << " drifted apart by " << pair.range_max
         << " ns per unit of weight, allowed " << bound(simulation, key);
    failures.push_back(text.str());
  }
  return failures;
}

}  // namespace fairfs::test
