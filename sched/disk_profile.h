// What is known of the disk: how much it does at once and how long each kind of request occupies it.
#pragma once

#include <cstdint>
#include <string>

#include "sched/types.h"

namespace fairfs::sched {

/// Coefficients of the linear cost model (Linux blk-iocost's) with a floor: device time = base + bytes / bandwidth, but
/// never below `least`. A head that moves adds to the transfer (base); flash channels overlap with it (least).
/// Device time is the whole disk's: a disk that never rests gives away one second of it per second, whatever it does
/// at once. So 4 KiB random reads cost 1 / (the most of them it does per second).
struct CostCoefficients {
  Duration base_sequential{};     ///< fixed part when the request continues the flow's last one
  Duration base_random{};         ///< fixed part otherwise
  std::uint64_t bytes_per_s = 1;  ///< > 0: bandwidth of large sequential requests
  Duration least{};               ///< the smallest request's cost, sequential or not
  /// Bandwidth of large random requests, where each of several heads has to move for its part of one; 0: as sequential.
  std::uint64_t random_bytes_per_s = 0;
};

enum class Confidence : std::uint8_t {
  none,  ///< defaults, or what a person wrote
  low,   ///< measured, but rounds differed or somebody else used the disk
  high
};

/// Plain data, copied freely. The defaults are those of a middling solid-state disk; `reason` says why they are taken.
struct DiskProfile {
  /// Requests worth having in the disk at once (the knee of throughput over depth): the scheduler's slots, 1..1024.
  std::uint32_t depth = 16;
  /// Most throughput of 4 KiB random reads at any depth over that at depth 1, > 0.
  double parallelism = 8.0;
  /// Sequential streams side by side, together, over one alone: the least of 2 and 4 streams, > 0. Below 0.85 the disk
  /// loses by turning from one to another.
  double interleave_ratio = 1.0;
  /// Most streams that lose nothing side by side, 1..1024: one on a disk, `depth` on flash.
  std::uint32_t best_streams = 16;
  /// Time lost each time the disk turns from one stream to another.
  Duration switch_cost{};
  /// Hold the disk for a stream that will go on soon. Off where interleaving is free.
  bool idle = false;
  CostCoefficients read{std::chrono::microseconds{20}, std::chrono::microseconds{100}, 500'000'000};
  CostCoefficients write{std::chrono::microseconds{20}, std::chrono::microseconds{60}, 400'000'000};
  /// Device time charged for a flush: an fsync after a 4 KiB write.
  Duration sync{std::chrono::milliseconds{2}};
  /// Least size at which one sequential stream alone gets 0.9 of the bandwidth.
  std::uint64_t saturating_bytes = 128 * 1024;

  /// Which of the above were measured; the others are defaults.
  struct Measured {
    bool reads = false;    ///< depth, parallelism, read
    bool streams = false;  ///< interleave_ratio, best_streams, switch_cost, idle, saturating_bytes
    bool writes = false;   ///< write
    bool sync = false;
  } measured;
  Confidence confidence = Confidence::none;
  std::string reason = "not measured";  ///< for people: what was found, or why not
};

}  // namespace fairfs::sched
