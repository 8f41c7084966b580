// What an administrator guarantees or allows a node of the tree, beside its weight.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Of all requests in the node and below; 0 is none. Bytes of reads and of writes a second, requests (both) a second.
/// Flushes are not counted.
struct Limits {
  std::uint64_t min_read = 0, min_write = 0;  ///< served before any weight and class until it has this
  std::uint64_t max_read = 0, max_write = 0;  ///< no more, even on an idle disk
  std::uint64_t min_iops = 0, max_iops = 0;
  /// 95 of 100 requests answered within this: others' depth is reduced until it is so, or until they have their floors.
  Duration latency{};

  [[nodiscard]] bool has_floor() const { return min_read != 0 || min_write != 0 || min_iops != 0; }
  [[nodiscard]] bool has_ceiling() const { return max_read != 0 || max_write != 0 || max_iops != 0; }
  [[nodiscard]] bool any() const { return has_floor() || has_ceiling() || latency != Duration{}; }
  bool operator==(const Limits&) const = default;
};

}  // namespace fairfs::sched
