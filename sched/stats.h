// What one flow got and how long it waited, as counters that only grow: a viewer subtracts two readings.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Counts durations in buckets of an eighth of an octave (±6 %), from 1 us to over an hour. A value type, no
/// allocation.
class LatencyHistogram {
 public:
  static constexpr unsigned kPerOctave = 8, kOctaves = 32, kBuckets = kPerOctave * kOctaves;

  LatencyHistogram() = default;
  /// The reading that `buckets()` gave elsewhere: how one travels between processes.
  explicit LatencyHistogram(const std::array<std::uint32_t, kBuckets>& buckets) : buckets_{buckets} {}

  void add(Duration sample);
  /// The duration that `fraction` (0..1) of the samples do not exceed, as the middle of its bucket; 0 without samples.
  [[nodiscard]] Duration percentile(double fraction) const;
  [[nodiscard]] std::uint64_t samples() const;
  /// How many were at most `limit`, as far as the buckets tell (±6 %).
  [[nodiscard]] std::uint64_t samples_up_to(Duration limit) const;
  /// Adds what another one counted.
  void merge(const LatencyHistogram& other);
  /// What was added since `earlier`, an older reading of the same histogram.
  [[nodiscard]] LatencyHistogram since(const LatencyHistogram& earlier) const;
  [[nodiscard]] const std::array<std::uint32_t, kBuckets>& buckets() const { return buckets_; }

 private:
  std::array<std::uint32_t, kBuckets> buckets_{};  // wrap-around is harmless: readings are subtracted
};

/// Cumulative since the flow was first seen.
struct FlowCounters {
  std::uint64_t reads = 0, read_bytes = 0;  ///< cached ones too
  std::uint64_t writes = 0, write_bytes = 0;
  std::uint64_t written_behind = 0;  ///< bytes of buffered writes that reached the disk in the flow's turns
  std::uint64_t syncs = 0, cached = 0, metadata = 0;
  Duration device_time{};          ///< charged
  Duration backlogged{};           ///< time with at least one request waiting for its turn
  Duration active{};               ///< time with at least one request waiting or in the disk
  Duration throttled{};            ///< time that writers waited for their own write-behind
  Duration starved{};              ///< time with requests waiting and none started, beyond the first second of it
  LatencyHistogram wait, service;  ///< scheduled requests only
  LatencyHistogram sync;           ///< of flushes, from their caller's point of view
};

}  // namespace fairfs::sched
