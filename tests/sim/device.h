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
  sched::Duration cost{};  ///< by the scheduler's model
};

class Device {
 public:
  Device(const DeviceModel& model, Seed seed);
  /// The request starts as soon as its channel or its spindles are free; when it will have ended.
  sched::Time start(const Access& access, sched::Time now);
  /// Time that spindles worked, all together.
  [[nodiscard]] sched::Duration worked() const { return worked_; }

 private:
  struct Spindle {
    sched::Time free{};
    std::uint64_t inode = ~std::uint64_t{0}, end = 0;
  };
  sched::Time move(Spindle& spindle, std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes, sched::Time now);
  [[nodiscard]] sched::Duration transfer(std::uint64_t bytes) const;

  DeviceModel model_;
  Random random_;
  std::vector<sched::Time> free_;  // when each channel is
  std::vector<Spindle> spindles_;
  sched::Duration worked_{};
};

}  // namespace fairfs::test
