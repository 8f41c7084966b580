// A simple disk: n channels that serve in order of dispatch, or spindles whose heads have to move.
#pragma once

#include <cstdint>
#include <queue>
#include <vector>

#include "sched/types.h"
#include "tests/sim/disk_model.h"
#include "tests/sim/seed.h"

namespace fairfs::test {

struct DeviceModel {
  std::uint32_t channels = 1;
  /// Costs are the whole disk's, as a measured profile's are: a request holds its channel for cost * channels. Else
  /// for its cost, which makes n channels n times as fast as the scheduler was told, and costs aren't corrected.
  bool whole_costs = false;
  /// Each request takes its charged cost, more or less by up to this much: the model is never quite right.
  unsigned noise_percent = 0;

  /// More than 0: not channels but spindles, striped. A request takes `seek` if it does not start where the last one of
  /// its spindle ended or a little after, and bytes / bandwidth, whatever it was charged.
  sched::Duration seek{};
  std::uint32_t spindles = 1;
  std::uint64_t bytes_per_s = 1;
  std::uint64_t stripe = 256 * 1024;
};

/// A request starts as soon as its channel or its spindles are free.
class SimpleDevice final : public DiskModel {
 public:
  SimpleDevice(const DeviceModel& model, Seed seed);

  void start(std::uint64_t id, const Access& access, sched::Time now) override;
  [[nodiscard]] sched::Time next_event() const override { return ends_.empty() ? sched::kNever : ends_.top().at; }
  void advance(sched::Time now, std::vector<std::uint64_t>& ended) override;
  void set_slowness(double factor) override { slowness_ = factor; }

 private:
  struct End {
    sched::Time at{};
    std::uint64_t order = 0, id = 0;
    bool operator>(const End& other) const { return at != other.at ? at > other.at : order > other.order; }
  };
  sched::Time end_of(const Access& access, sched::Time now);
  struct Spindle {
    sched::Time free{};
    std::uint64_t inode = ~std::uint64_t{0}, end = 0;
  };
  sched::Time move(Spindle& spindle, std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes, sched::Time now);
  [[nodiscard]] sched::Duration transfer(std::uint64_t bytes) const;
  [[nodiscard]] sched::Duration slowed(sched::Duration time) const;

  DeviceModel model_;
  Random random_;
  double slowness_ = 1;
  std::vector<sched::Time> free_;  // when each channel is
  std::vector<Spindle> spindles_;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
  std::uint64_t started_ = 0;
};

}  // namespace fairfs::test
