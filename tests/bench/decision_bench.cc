// What one decision costs: complete + next + submit in a tree of three levels with every flow backlogged. Plain: one
// class, no limits. Full: every feature at work, where nothing has turns and where flows have. Fails, with one line
// each, when a decision costs more than the floors say, or so many flows cost too many times what ten do.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sched/scheduler.h"

namespace fairfs::sched {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t kRequestBytes = 4096;
/// From one decision to the next, which ends a request: 50,000 a second.
constexpr Duration kStep = 20us;

/// Groups of groups of flows, the cube root of `flows` at each level; random weights, and offsets that continue
/// nothing.
class BackloggedTree {
 public:
  BackloggedTree(std::uint32_t flows, const SchedulerConfig& config)
      : depth_(config.profile.depth), scheduler_(config) {
    const auto fan = static_cast<std::uint32_t>(std::ceil(std::cbrt(flows)));
    while (flows_.size() < flows) {
      const NodeId outer = scheduler_.add_group(kRoot, weight());
      groups_.push_back(outer);
      for (std::uint32_t i = 0; i < fan; ++i) {
        const NodeId inner = scheduler_.add_group(outer, weight());
        for (std::uint32_t j = 0; j < fan && flows_.size() < flows; ++j) {
          flows_.push_back(scheduler_.add_flow(inner, weight()));
        }
      }
    }
  }
  /// Rules for every outer group, a floor, a ceiling or a latency each, none of which stops it; every tenth flow
  /// real-time, every tenth idle; and look-ups that somebody owes for.
  void use_everything() {
    constexpr std::uint64_t kPlenty = 100'000'000'000;
    for (std::size_t i = 0; i < groups_.size(); ++i) {
      Limits limits;
      if (i % 3 == 0) limits.min_read = 1'000'000;
      if (i % 3 == 1) limits.max_read = kPlenty;
      if (i % 3 == 2) limits.latency = 10s;
      scheduler_.set_limits(groups_[i], limits, now_);
    }
    for (std::size_t i = 0; i < flows_.size(); ++i) {
      if (i % 10 == 3) scheduler_.set_class(flows_[i], ServiceClass::realtime);
      if (i % 10 == 7) scheduler_.set_class(flows_[i], ServiceClass::idle);
    }
    looks_up_ = true;
  }
  void fill() {
    // Two requests a flow: whoever is served still has one waiting.
    for (std::uint64_t flow = 0; flow < flows_.size(); ++flow) submit(flow);
    for (std::uint64_t flow = 0; flow < flows_.size(); ++flow) submit(flow);
    while (in_flight_.size() < depth_ && dispatch()) {
    }
  }

  void step() {
    now_ += kStep;
    do {
      if (!in_flight_.empty()) {
        scheduler_.complete(in_flight_.front(), now_);
        in_flight_.pop_front();
      }
    } while (!dispatch());
    if (looks_up_ && ++steps_ % 8 == 0) {
      scheduler_.charge_metadata(flows_[0], 1ms, now_);
      benchmark::DoNotOptimize(scheduler_.metadata_delay(flows_[0], now_));
    }
  }

 private:
  Weight weight() { return std::uniform_int_distribution<Weight>(kWeightMin, kWeightMax)(random_); }
  void submit(std::uint64_t flow) {
    scheduler_.submit({.flow = flows_[flow],
                       .operation = Operation::read,
                       .inode = flow,
                       .offset = random_() * kRequestBytes,
                       .bytes = kRequestBytes,
                       .bounded_wait = looks_up_ && flow % 2 == 0,
                       .cookie = flow},
                      now_);
  }
  /// False: it sleeps; what it sleeps for comes.
  bool dispatch() {
    const Decision decision = scheduler_.next(now_);
    if (const auto* const sleep = std::get_if<Sleep>(&decision)) {
      if (in_flight_.empty() && sleep->until != kNever) now_ = std::max(now_ + kStep, sleep->until);
      return false;
    }
    const auto& dispatch = std::get<Dispatch>(decision);
    in_flight_.push_back(dispatch.id);
    submit(dispatch.cookie);
    return true;
  }

  std::minstd_rand random_{7};
  std::size_t depth_;
  Scheduler scheduler_;
  Time now_{1s};
  std::vector<NodeId> groups_, flows_;
  std::deque<RequestId> in_flight_;
  bool looks_up_ = false;
  unsigned steps_ = 0;
};

void plain(benchmark::State& state) {
  BackloggedTree tree(static_cast<std::uint32_t>(state.range(0)), {});
  tree.fill();
  for (auto unused : state) tree.step();
}
BENCHMARK(plain)->Arg(10)->Arg(1'000)->Arg(100'000);

void full(benchmark::State& state, bool turns) {
  SchedulerConfig config;
  config.profile.measured = {true, true, true, true};
  if (turns) {
    config.profile.idle = true;
    config.profile.best_streams = 1;
    config.profile.switch_cost = 12ms;
    config.profile.parallelism = 1.1;
  }
  BackloggedTree tree(static_cast<std::uint32_t>(state.range(0)), config);
  tree.use_everything();
  tree.fill();
  for (auto unused : state) tree.step();
}
BENCHMARK_CAPTURE(full, shared, false)->Arg(10)->Arg(1'000);
BENCHMARK_CAPTURE(full, turns, true)->Arg(10)->Arg(1'000);

/// CPU time of a decision, ns, by benchmark.
class Costs final : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) costs_[run.benchmark_name()] = run.GetAdjustedCPUTime();
  }
  /// Times of benchmarks that didn't run hold.
  [[nodiscard]] bool hold() const {
    bool hold = true;
    const auto within = [&](const char* name, double most, const std::string& what) {
      const auto found = costs_.find(name);
      if (found == costs_.end() || found->second <= most) return;
      std::fprintf(stderr, "%s: %.0f ns a decision, %s\n", name, found->second, what.c_str());
      hold = false;
    };
    // Between builds and machines ratios are the same: the depth of the heaps, and what doesn't fit the caches.
    const auto ten = costs_.find("plain/10");
    if (ten != costs_.end()) {
      for (const char* name :
           {"plain/1000", "full/shared/10", "full/turns/10", "full/shared/1000", "full/turns/1000"}) {
        within(name, kTimesTen * ten->second, "more than " + std::to_string(kTimesTen) + " times plain/10");
      }
    }
#if defined(__OPTIMIZE__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    for (const char* name : {"plain/1000", "full/shared/1000", "full/turns/1000"}) within(name, 1000, "floor 1 us");
#endif
    return hold;
  }

 private:
  static constexpr int kTimesTen = 8;  // measured: 2.5 to 4.5

  std::map<std::string, double> costs_;
};

}  // namespace
}  // namespace fairfs::sched

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  fairfs::sched::Costs costs;
  benchmark::RunSpecifiedBenchmarks(&costs);
  return costs.hold() ? 0 : 1;
}
