// Any bytes as a sequence of calls of the scheduler, checked against a plain model of what it holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace fairfs::test {

struct CallCounts {
  std::size_t dispatched = 0, promoted = 0, cancelled = 0, removed = 0;
};

/// Makes the calls, then drains and takes the tree apart. Aborts (FAIRFS_CHECK) when the scheduler loses, doubles or
/// invents a request, reorders a flow without a deadline's reason, sleeps with work to do, or counts wrong.
CallCounts run_call_sequence(std::span<const std::uint8_t> bytes);

}  // namespace fairfs::test
