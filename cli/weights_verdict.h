// Are weights in force, and if not, why?
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sched/engine/snapshot.h"

namespace fairfs::cli {

struct WeightsVerdict {
  enum class State : std::uint8_t {
    in_force,  ///< at least two flows kept a backlog
    off,       ///< sched=off
    idle,
    only_metadata,
    all_cached,
    one_active,
    none_backlogged,
    one_backlogged
  } state = State::idle;
  std::size_t backlogged = 0;  ///< flows
};

/// `before` and `after` are readings of one daemon, in this order.
[[nodiscard]] WeightsVerdict weights_verdict(const engine::Snapshot& before, const engine::Snapshot& after,
                                             bool scheduling);

/// "2 flows backlogged", "all reads cached".
[[nodiscard]] std::string to_words(const WeightsVerdict& verdict);

/// A flow that had requests waiting for at least this part of the interval kept a backlog: the scheduler, not the flow,
/// decided what it got. Half: a flow that is backlogged in fewer moments than not is held by itself.
inline constexpr double kBacklogged = 0.5;

/// The same flow in an earlier reading, for each flow of `after` in order; null for a new one.
[[nodiscard]] std::vector<const engine::FlowReading*> earlier_readings(const engine::Snapshot& before,
                                                                       const engine::Snapshot& after);

}  // namespace fairfs::cli
