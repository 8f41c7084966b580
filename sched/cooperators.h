// Flows that read or write one stream together: zones of a file, a pipeline, threads seen as processes.
#pragma once

#include <cstdint>

#include "sched/request_list.h"
#include "sched/slices.h"

namespace fairfs::sched {

/// A request near the place where a turn's stream stands belongs to that stream, whoever sent it: it is served in the
/// turn, at the cost of a sequential request, charged to its own flow. Flows that diverge part by themselves, because
/// their requests are near no more. The distance is that within which a request continues its own flow's stream, in
/// both directions: of two partners one is always a little behind.
[[nodiscard]] inline bool cooperates(const Slice& slice, const HeldRequest& request) {
  return request.operation != Operation::sync &&
         slice.positions.distance(request.inode, request.offset) <= StreamPositions::kWindowBytes;
}

[[nodiscard]] bool is_partner(const Slice& slice, std::uint32_t node);
/// More than kPartnersMax wait for their own turns.
void add_partner(Slice& slice, std::uint32_t node);
void remove_partner(Slice& slice, std::uint32_t node);

}  // namespace fairfs::sched
