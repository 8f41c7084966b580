// Virtual time: device time divided by weight, as exact integers.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// A point of a group's virtual time, in 2^-20 ns of device time per unit of weight. 128 bits: 1024 slots at weight 1
/// use up 2^60 units a second, so 64 bits would last eight seconds and 128 bits last longer than the disk.
__extension__ typedef __int128 Tag;

/// Fraction bits of a Tag. With 20, a request of 1 us at weight 10000 is 104857 units long, so that even a single one
/// is placed to 1e-5; what a division leaves over is carried into the next one, so nothing is lost in the long run.
inline constexpr unsigned kTagFractionBits = 20;

/// Device time that one request is charged at most, in ns (18 minutes; a model gone mad must not overflow a division).
inline constexpr std::uint64_t kCostMax = std::uint64_t{1} << 40;

// A charge is at most a request's cost and as much debt again; the remainder is below 10000 * 2^32 (a group's weight
// sum).
static_assert((kCostMax * 2) >> (63 - kTagFractionBits) == 0, "a charge must fit the dividend with a bit to spare");
static_assert(kWeightMax * (std::uint64_t{1} << 32) < (std::uint64_t{1} << 63), "so must what was left over before it");

/// How far `device_time` (ns, <= 2 * kCostMax) moves something of `weight`. `remainder` (units * weight) is what
/// earlier calls left over; it goes into this one and is replaced, so the sum of many steps is exact to one unit.
[[nodiscard]] inline Tag advance_of(std::uint64_t device_time, std::uint64_t weight, std::uint64_t& remainder) {
  const std::uint64_t dividend = (device_time << kTagFractionBits) + remainder;
  remainder = dividend % weight;
  return static_cast<Tag>(dividend / weight);
}

}  // namespace fairfs::sched
