// What selection needs of one node of the tree of shares, in one cache line.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/indexed_heap.h"
#include "sched/types.h"
#include "sched/virtual_time.h"

namespace fairfs::sched {

inline constexpr std::uint32_t kNoIndex = ~std::uint32_t{0};

struct alignas(64) Node {
  enum class Kind : std::uint8_t { unused, group, flow };
  /// In which heap of its parent's fair queue it stands.
  enum class Place : std::uint8_t { idle, waiting, eligible, away };

  Tag start = 0;                ///< S: virtual time at which its next request may start
  Tag finish = 0;               ///< F = S + cost / weight; meaningless while idle
  std::uint64_t cost = 0;       ///< ns its next request will be charged; 0: nothing queued
  std::uint64_t remainder = 0;  ///< see advance_of
  std::uint32_t parent = kNoIndex;
  std::uint32_t body = kNoIndex;  ///< index among the groups or the flows, as `kind` says
  Weight weight = kWeightDefault;
  Kind kind = Kind::unused;
  Place place = Place::idle;
  bool blocked = false;  ///< a ceiling keeps it out of its parent's fair queue, whatever waits in it
};
static_assert(sizeof(Node) == 64, "one decision touches a node a level; each must be one cache line");

/// All nodes of a scheduler, by id.
struct Nodes {
  std::vector<Node> node;
  HeapPlaces places;
};

}  // namespace fairfs::sched
