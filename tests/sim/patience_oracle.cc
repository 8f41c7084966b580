#include "tests/sim/patience_oracle.h"

#include <algorithm>
#include <chrono>
#include <sstream>

#include "sched/constants.h"

namespace fairfs::test {
namespace {

using sched::Duration;

double ns(Duration time) { return static_cast<double>(time.count()); }
/// An hour is for ever here.
Duration of_ns(double time) { return Duration{static_cast<Duration::rep>(std::min(time, 3600e9))}; }
/// Turn, request of others, debt that halves a share: each as much again.
constexpr double kAsMuchAgain = 4;

}  // namespace

void PatienceOracle::submitted(const Simulation& simulation, sched::NodeId flow, std::uint64_t) {
  if (simulation.books(flow).queued == 1) waiting_[flow].since = simulation.now();
  if (queued_++ == 0) still_since_ = simulation.now();
}

void PatienceOracle::dispatched(const Simulation& simulation, sched::NodeId flow, const sched::Dispatch& dispatch,
                                Duration) {
  Waiting& waiting = waiting_[flow];
  waiting.longest = std::max(waiting.longest, simulation.now() - waiting.since);
  waiting.since = simulation.now();
  if (programs_.at(flow).bounded_wait) waiting.longest_bounded = std::max(waiting.longest_bounded, dispatch.waited);
  --queued_;
  if (in_disk_++ == 0) still_longest_ = std::max(still_longest_, simulation.now() - still_since_);
}

void PatienceOracle::completed(const Simulation& simulation, sched::NodeId, std::uint64_t) {
  if (--in_disk_ == 0) still_since_ = simulation.now();
}

/// The least part of the disk that the flow can be due.
double PatienceOracle::part(const Simulation& simulation, sched::NodeId flow) const {
  double part = 1;
  for (sched::NodeId node = flow; node != sched::kRoot; node = simulation.books(node).parent) {
    double weights = 0;
    for (const sched::NodeId sibling : simulation.books(simulation.books(node).parent).children) {
      weights += simulation.books(sibling).weight;
    }
    part *= simulation.books(node).weight / weights;
  }
  const sched::ServiceClass own = programs_.at(flow).service;
  const bool beside_higher = std::any_of(programs_.begin(), programs_.end(),
                                         [own](const auto& program) { return program.second.service < own; });
  if (!beside_higher) return part;
  return part * static_cast<double>(own == sched::ServiceClass::idle ? sched::kFloorIdle : sched::kFloorBestEffort) /
         1000;
}

Duration PatienceOracle::explained(const Simulation& simulation, sched::NodeId flow) const {
  Duration others{};
  for (const auto& [other, program] : programs_) others = std::max(others, simulation.books(other).cost_max);
  const Duration turn = config_.profile.idle ? sched::kSwitchesPerSliceMin * config_.profile.switch_cost : Duration{};
  const Duration once = sched::kNewcomerWait + sched::kClassAge;  // a round under way, and a class that had nothing
  return once + of_ns(kAsMuchAgain * ns(simulation.books(flow).cost_max + others + turn) / part(simulation, flow));
}

Duration PatienceOracle::bounded(const Simulation& simulation) const {
  Duration all{}, round{};
  for (const auto& [flow, program] : programs_) {
    const Duration cost = simulation.books(flow).cost_max;
    all += cost * program.outstanding;
    round += config_.profile.idle ? sched::kSwitchesPerEqualSlice * config_.profile.switch_cost : cost;
  }
  // A turn under way is not ended before it was worth its switch; a flow's time in the disk may be off by a third.
  return std::max(config_.max_wait, 2 * round) + sched::kNewcomerWait + all * 4 / 3;
}

std::vector<std::string> PatienceOracle::failures(const Simulation& simulation) const {
  std::vector<std::string> failures;
  const auto object = [&](sched::NodeId flow, const char* what, Duration waited, Duration allowed) {
    if (waited <= allowed) return;
    std::ostringstream text;
    text << "flow " << static_cast<std::uint32_t>(flow) << what << ns(waited) / 1e6 << " ms, allowed "
         << ns(allowed) / 1e6;
    failures.push_back(text.str());
  };
  for (const auto& [flow, waiting] : waiting_) {
    const bool still = simulation.books(flow).queued != 0;
    const Duration longest = still ? std::max(waiting.longest, simulation.now() - waiting.since) : waiting.longest;
    object(flow, " had nothing for ", longest, explained(simulation, flow));
    object(flow, " had a bounded request wait for ", waiting.longest_bounded, bounded(simulation));
  }
  object({}, " saw the disk stand still before a queue for ", still_longest_, sched::kAnticipationMax);
  return failures;
}

}  // namespace fairfs::test
