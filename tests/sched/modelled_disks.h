// Disks that turn slowly, for the simulator: what the device does, and what a probe would say of it.
#pragma once

#include <chrono>

#include "sched/scheduler.h"
#include "tests/sim/device.h"

namespace fairfs::test {

struct ModelledDisk {
  sched::SchedulerConfig config;
  DeviceModel device;
};

/// 12 ms to turn, 120 MB/s. Costs are what the device does, so device time charged is device time used.
inline ModelledDisk hard_disk() {
  ModelledDisk disk;
  disk.device = {.seek = std::chrono::milliseconds{12}, .bytes_per_s = 120'000'000};
  disk.config.profile.depth = 32;
  disk.config.profile.parallelism = 1;
  disk.config.profile.read = disk.config.profile.write = {std::chrono::nanoseconds{0}, disk.device.seek, 120'000'000};
  disk.config.profile.idle = true;
  disk.config.profile.best_streams = 1;
  disk.config.profile.switch_cost = disk.device.seek;
  return disk;
}

/// Four of them striped at 256 KiB. A stream of large requests uses all: a turn takes as long and is worth four times
/// as much.
inline ModelledDisk raid0() {
  ModelledDisk disk = hard_disk();
  disk.device.spindles = 4;
  disk.config.profile.parallelism = 4;
  disk.config.profile.best_streams = 1;
  disk.config.profile.switch_cost = 4 * disk.device.seek;
  return disk;
}

}  // namespace fairfs::test
