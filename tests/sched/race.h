// Programs side by side on a modelled disk, in the simulator: who gets how many bytes a second.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <vector>

#include "tests/sched/modelled_disks.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {

/// As an O_DIRECT reader of one file: one request at a time, 100 us from an answer to the next question.
inline Workload reader(sched::Duration think = std::chrono::microseconds{100}) {
  constexpr std::uint64_t kBytes = 64 * 1024;
  return {.outstanding = 1, .think = think, .bytes_min = kBytes, .bytes_max = kBytes, .sequential = true};
}

inline double sum(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

/// All under the root. The books oracle watches.
class Race {
 public:
  Race(const ModelledDisk& disk, const std::vector<Workload>& workloads, const std::vector<sched::Weight>& weights = {})
      : simulation(disk.config, disk.device, Seed{7}) {
    simulation.watch(books_);
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      const sched::Weight weight = weights.empty() ? sched::kWeightDefault : weights[i];
      flows.push_back(simulation.add_flow(sched::kRoot, weight, workloads[i]));
    }
  }
  /// MB/s of each, after a second of warm-up.
  std::vector<double> run(sched::Duration time = std::chrono::seconds{20}) {
    simulation.run_for(std::chrono::seconds{1});
    const std::vector<double> before = megabytes();
    simulation.run_for(time);
    std::vector<double> rates = megabytes();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = (rates[i] - before[i]) / std::chrono::duration<double>(time).count();
    }
    EXPECT_THAT(failures(simulation, {&books_}), testing::IsEmpty());
    return rates;
  }

 private:
  BooksOracle books_;

  [[nodiscard]] std::vector<double> megabytes() const {
    std::vector<double> all;
    for (const sched::NodeId flow : flows) all.push_back(static_cast<double>(simulation.bytes(flow)) / 1e6);
    return all;
  }

 public:
  Simulation simulation;
  std::vector<sched::NodeId> flows;
};

inline double alone(const ModelledDisk& disk, const Workload& workload) { return Race(disk, {workload}).run()[0]; }

}  // namespace fairfs::test
