#include "probe/coefficients.h"

#include <algorithm>
#include <cmath>

#include "probe/verdict.h"

namespace fairfs::probe {
namespace {

/// Where the part of a large random request that is not transfer explains less than this of a small one, transfer
/// overlaps with it: the small one's time is a floor, not an addition.
constexpr double kAddsUp = 0.5;
/// From here on random requests are carried as fast as sequential ones: seeks are few, and so are their samples.
constexpr double kSameBandwidth = 0.75;

sched::Duration duration(double seconds) { return sched::Duration{std::llround(seconds * 1e9)}; }

}  // namespace

sched::CostCoefficients coefficients(const Samples& samples, Operation operation, std::uint32_t knee) {
  sched::CostCoefficients result;
  const double bandwidth = samples.bandwidth(bandwidth_trial(operation));
  result.bytes_per_s = static_cast<std::uint64_t>(std::max(1.0, bandwidth));
  const double small = samples.seconds(random_trial(operation, knee));
  const double large = samples.seconds(large_random_trial(operation));
  const double beside = std::max(0.0, large - kLarge / bandwidth);
  if (large > 0 && beside + kSmall / bandwidth < kAddsUp * small) {
    result.least = duration(small);
    result.base_random = duration(beside);
    return result;
  }
  double carried = bandwidth;
  if (const double slope = (large - small) / (kLarge - kSmall); slope * bandwidth * kSameBandwidth > 1) {
    carried = 1 / slope;
    result.random_bytes_per_s = static_cast<std::uint64_t>(std::max(1.0, carried));
  }
  result.base_random = duration(std::max(0.0, small - kSmall / carried));
  return result;
}

}  // namespace fairfs::probe
