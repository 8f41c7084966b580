// Programs side by side on a model of tests/diskemu with the profile that the probe finds: who gets how much.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <string>
#include <vector>

#include "tests/rows/emulated_disk.h"
#include "tests/sim/books_oracle.h"
#include "tests/sim/simulation.h"

namespace fairfs::test {

/// A modelled disk, and how fairfs is mounted on it.
struct Setting {
  EmulatedDiskConfig disk;
  sched::Policy policy = sched::Policy::fair;
  sched::Features features;

  explicit Setting(const std::string& model) { disk.model = model; }
  [[nodiscard]] Setting off() const {
    Setting setting = *this;
    setting.policy = sched::Policy::off;
    return setting;
  }
  [[nodiscard]] sched::SchedulerConfig config() const {
    sched::SchedulerConfig config;
    config.policy = policy;
    config.profile = probed_profile(disk);
    if (const auto cache = disk.model.find(",cache_mb"); cache != std::string::npos) {
      // The probe reads what it has just written, out of the cache; a minute later it would not find it there.
      EmulatedDiskConfig bare = disk;
      bare.model.resize(cache);
      const sched::CostCoefficients write = config.profile.write;
      config.profile = probed_profile(bare);
      config.profile.write = write;
    }
    config.features = features;
    return config;
  }
};

inline double sum(const std::vector<double>& numbers) { return std::accumulate(numbers.begin(), numbers.end(), 0.0); }

class Contest {
 public:
  explicit Contest(const Setting& setting)
      : simulation(setting.config(), std::make_unique<EmulatedDisk>(setting.disk), Seed{7}) {}
  Contest(const Setting& setting, const std::vector<Workload>& workloads,
          const std::vector<sched::Weight>& weights = {})
      : Contest(setting) {
    for (std::size_t i = 0; i < workloads.size(); ++i) {
      add(workloads[i], weights.empty() ? sched::kWeightDefault : weights[i]);
    }
  }
  sched::NodeId add(const Workload& workload, sched::Weight weight, sched::NodeId parent = sched::kRoot) {
    flows.push_back(simulation.add_flow(parent, weight, workload));
    return flows.back();
  }

  /// MB/s of each flow, after a second of warm-up.
  std::vector<double> run(sched::Duration time = std::chrono::seconds{20}) {
    simulation.run_for(std::chrono::seconds{1});
    const std::vector<double> before = megabytes();
    worked_ = seconds_worked();
    simulation.run_for(time);
    std::vector<double> rates = megabytes();
    std::vector<double> worked = seconds_worked();
    for (std::size_t i = 0; i < rates.size(); ++i) {
      rates[i] = (rates[i] - before[i]) / std::chrono::duration<double>(time).count();
      worked_[i] = worked[i] - worked_[i];
    }
    return rates;
  }
  /// Seconds that the medium worked for each flow during the last run, by the emulator's accounts.
  [[nodiscard]] const std::vector<double>& worked() const { return worked_; }

 private:
  [[nodiscard]] std::vector<double> megabytes() const {
    std::vector<double> all;
    for (const sched::NodeId flow : flows) all.push_back(static_cast<double>(simulation.bytes(flow)) / 1e6);
    return all;
  }
  [[nodiscard]] std::vector<double> seconds_worked() const {
    std::vector<double> all;
    for (const sched::NodeId flow : flows) {
      all.push_back(std::chrono::duration<double>(simulation.worked(flow)).count());
    }
    return all;
  }
  std::vector<double> worked_;

 public:
  Simulation simulation;
  std::vector<sched::NodeId> flows;
};

inline double alone(const Setting& setting, const Workload& workload) { return Contest(setting, {workload}).run()[0]; }

/// An O_DIRECT reader of one file in order, one request at a time; FUSE and the program take 100 us beside `think`.
inline Workload stream(sched::Duration think = {}, std::uint64_t bytes = 64 * 1024) {
  return {.outstanding = 1,
          .think = think + std::chrono::microseconds{100},
          .bytes_min = bytes,
          .bytes_max = bytes,
          .sequential = true};
}
/// A random reader, so many requests at a time.
inline Workload scattered(std::uint32_t depth, std::uint64_t bytes = 4096) {
  return {.outstanding = depth, .think = std::chrono::microseconds{100}, .bytes_min = bytes, .bytes_max = bytes};
}

}  // namespace fairfs::test
