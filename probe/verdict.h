// From measured rates to a profile.
#pragma once

#include <cstdint>
#include <string>

#include "probe/samples.h"
#include "sched/disk_profile.h"

namespace fairfs::probe {

/// The trials that the verdict looks at.
inline constexpr std::uint64_t kSmall = 4096, kStreamBytes = 128 * 1024, kLarge = 1024 * 1024;
[[nodiscard]] constexpr Trial random_trial(Operation operation, std::uint32_t depth, std::uint64_t bytes = kSmall) {
  return {operation, 0, depth, bytes};
}
[[nodiscard]] constexpr Trial streams_trial(std::uint32_t streams) {
  return {Operation::read, streams, streams, kStreamBytes};
}
/// One stream alone, one request at a time.
[[nodiscard]] constexpr Trial size_trial(std::uint64_t bytes) { return {Operation::read, 1, 1, bytes}; }
/// Bandwidth: four large requests of one stream keep the way to the disk full while one is answered.
[[nodiscard]] constexpr Trial bandwidth_trial(Operation operation) { return {operation, 1, 4, kLarge}; }
/// Four: each of a stripe's disks has some of it, and one head nothing to sort.
[[nodiscard]] constexpr Trial large_random_trial(Operation operation) { return random_trial(operation, 4, kLarge); }
[[nodiscard]] constexpr Trial sync_trial() { return {Operation::sync, 0, 1, kSmall}; }

enum class DiskKind : std::uint8_t {
  serial,   ///< one head: a queue only sorts its seeks, streams side by side lose
  striped,  ///< several heads: random requests at once gain, streams side by side lose
  parallel  ///< streams side by side lose nothing
};
[[nodiscard]] DiskKind kind_of(const Samples& samples);

/// Medians -> profile. `knee` is the depth that the ladder chose. `reason` describes the disk; confidence is high
/// unless rounds differed by more than 10 % or the program, not the disk, was the limit.
[[nodiscard]] sched::DiskProfile judge(const Samples& samples, std::uint32_t knee, bool idle_before);

}  // namespace fairfs::probe
