// Runs a whole probe on a simulated disk.
#pragma once

#include "probe/estimator.h"
#include "probe/load.h"
#include "tests/probe/simulated_disk.h"

namespace fairfs::test {

/// The estimator after its last trial; the trials' requests lie where `seed` says.
inline probe::Estimator measure(SimulatedDisk& disk, std::uint64_t seed, const probe::EstimatorConfig& config = {}) {
  probe::Estimator estimator{config};
  for (std::uint64_t number = 0; auto step = estimator.next(); ++number) {
    estimator.record(probe::Load{disk, step->trial, seed * 1000 + number}.run(step->limits));
  }
  return estimator;
}

}  // namespace fairfs::test
