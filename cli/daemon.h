// A mount's life: what the command line set up is put together, served, and taken apart.
#pragma once

#include <functional>
#include <string>

#include "cli/options.h"
#include "cli/weights_file.h"
#include "sched/disk_profile.h"

namespace fairfs::cli {

/// Everything that can be wrong with the command line's files, read before anything is mounted.
struct Preparation {
  std::optional<WeightsFile> weights;
  std::string weights_text;
  engine::WeightRules rules;
  sched::DiskProfile profile;
};

/// Paths of `options` resolved. Throws Failure.
[[nodiscard]] Preparation prepare(const Options& options);

[[nodiscard]] engine::EngineConfig engine_config(const Options& options, const Preparation& preparation);

/// Mounts, serves until unmounted or told to stop, and ends everything it began. `ready` is called once, when the mount
/// answers. Throws Failure or std::system_error when it could not, or no longer.
void serve(const Options& options, Preparation preparation, const std::function<void()>& ready);

}  // namespace fairfs::cli
