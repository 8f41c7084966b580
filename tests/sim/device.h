// A disk: n channels that serve in order of dispatch, or spindles whose heads have to move.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sched/types.h"
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

/// What a request wants of the disk.
struct Access {
  std::uint64_t inode = 0, offset = 0, bytes = 0;
  sched::Duration cost{};  ///< by the profile
};

class Device {
 public:
  Device(const DeviceModel& model, Seed seed);
  /// The request starts as soon as its channel or its spindles are free; when it will have ended.
  sched::Time start(const Access& access, sched::Time now);
  /// Requests that start from here on take this many times as long.
  void set_slowness(double factor) { slowness_ = factor; }
  /// Time that spindles worked, all together.
  [[nodiscard]] sched::Duration worked() const { return worked_; }

 private:
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
  sched::Duration worked_{};
};

}  // namespace fairfs::test
