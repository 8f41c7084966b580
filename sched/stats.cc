#include "sched/stats.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

namespace fairfs::sched {
namespace {

/// Samples are counted in eighths of a microsecond: the first octave is [1 us, 2 us) in eight steps of 125 ns.
constexpr std::int64_t kStepNs = 125;
constexpr unsigned kPerOctaveBits = 3;
static_assert(1U << kPerOctaveBits == LatencyHistogram::kPerOctave);

unsigned bucket_of(Duration sample) {
  const std::int64_t steps = sample.count() / kStepNs;
  if (steps < static_cast<std::int64_t>(LatencyHistogram::kPerOctave)) return 0;
  const auto value = static_cast<std::uint64_t>(steps);
  const unsigned octave = static_cast<unsigned>(std::bit_width(value)) - 1 - kPerOctaveBits;
  const unsigned bucket =
      octave * LatencyHistogram::kPerOctave + static_cast<unsigned>(value >> octave) % LatencyHistogram::kPerOctave;
  return std::min(bucket, LatencyHistogram::kBuckets - 1);
}

/// The middle between the bucket's edges.
Duration middle_of(unsigned bucket) {
  const unsigned octave = bucket / LatencyHistogram::kPerOctave;
  const std::int64_t eighth = LatencyHistogram::kPerOctave + bucket % LatencyHistogram::kPerOctave;
  return Duration{((2 * eighth + 1) << octave) * kStepNs / 2};
}

}  // namespace

void LatencyHistogram::add(Duration sample) { ++buckets_[bucket_of(sample)]; }

std::uint64_t LatencyHistogram::samples() const {
  return std::accumulate(buckets_.begin(), buckets_.end(), std::uint64_t{0});
}

std::uint64_t LatencyHistogram::samples_up_to(Duration limit) const {
  std::uint64_t sum = 0;
  for (unsigned bucket = 0; bucket < kBuckets && middle_of(bucket) <= limit; ++bucket) sum += buckets_[bucket];
  return sum;
}

Duration LatencyHistogram::percentile(double fraction) const {
  const std::uint64_t total = samples();
  if (total == 0) return {};
  const double wanted = std::ceil(std::clamp(fraction, 0.0, 1.0) * static_cast<double>(total));
  const std::uint64_t rank = std::clamp<std::uint64_t>(static_cast<std::uint64_t>(wanted), 1, total);
  std::uint64_t passed = 0;
  unsigned bucket = 0;
  while ((passed += buckets_[bucket]) < rank) ++bucket;
  return middle_of(bucket);
}

void LatencyHistogram::merge(const LatencyHistogram& other) {
  std::transform(buckets_.begin(), buckets_.end(), other.buckets_.begin(), buckets_.begin(), std::plus<>{});
}

LatencyHistogram LatencyHistogram::since(const LatencyHistogram& earlier) const {
  LatencyHistogram difference;
  std::transform(buckets_.begin(), buckets_.end(), earlier.buckets_.begin(), difference.buckets_.begin(),
                 [](std::uint32_t later, std::uint32_t before) { return later - before; });
  return difference;
}

}  // namespace fairfs::sched
