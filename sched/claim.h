// What a flow that comes back keeps of its place.
#pragma once

#include <cstdint>

#include "sched/anticipation.h"
#include "sched/constants.h"

namespace fairfs::sched {

/// Device time (ns) by which a returning flow may start before its siblings' virtual time, if it stopped there, where
/// the disk isn't held for anybody. One that has something in the disk or comes back at once keeps the part that it
/// could not use only because its requests were in other slots: (depth - 1) / 2 of its requests, which keeps siblings
/// within the bound of scheduler.h. dmclock's anticipation_timeout and Seastar's tau do the same.
[[nodiscard]] inline std::uint64_t claim_of_returning(const Anticipation& flow, std::uint32_t in_flight,
                                                      std::uint64_t cost, std::uint32_t depth, Time now) {
  return in_flight > 0 || flow.away(now) <= kReturnMax ? cost * (depth - 1) / 2 : 0;
}

}  // namespace fairfs::sched
