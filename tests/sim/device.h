// A disk of n channels that serves in order of dispatch.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/types.h"
#include "tests/sim/seed.h"

namespace fairfs::test {

struct DeviceModel {
  std::uint32_t channels = 1;
  /// Each request takes its charged cost, more or less by up to this much: the model is never quite right.
  unsigned noise_percent = 0;
};

class Device {
 public:
  Device(const DeviceModel& model, Seed seed)
      : noise_percent_(model.noise_percent), random_(seed), free_(model.channels) {}
  /// A request of `cost` starts on the channel that is free first; when it will have ended.
  sched::Time start(sched::Duration cost, sched::Time now);

 private:
  unsigned noise_percent_;
  Random random_;
  std::vector<sched::Time> free_;  // when each channel is
};

}  // namespace fairfs::test
