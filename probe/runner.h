// The probe on a real directory: finds or makes something to read, runs the trials, watches who else uses the disk.
#pragma once

#include <functional>
#include <string>

#include "sched/disk_profile.h"

namespace fairfs::probe {

struct ProbeConfig {
  std::string directory;
  bool idle_before = false;                ///< the last verdict on this disk
  std::function<void(double)> progress{};  ///< told how far it is, 0..1; may be empty
};

struct Measurement {
  sched::DiskProfile profile;
  bool disturbed = false;  ///< others used the disk meanwhile: not to be kept
};

/// Takes up to 6 s on a fast disk and 12 s on a slow one. Never throws for what the disk or the filesystem can't do:
/// then confidence is `none`, the values are defaults, and `reason` says why. Leaves nothing behind, however the
/// process ends.
[[nodiscard]] Measurement measure(const ProbeConfig& config);

}  // namespace fairfs::probe
