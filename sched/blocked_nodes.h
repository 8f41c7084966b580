// Nodes that their ceilings keep back for a while.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sched/indexed_heap.h"
#include "sched/slab.h"
#include "sched/types.h"

namespace fairfs::sched {

/// By the time when each may go on, ties by node.
class BlockedNodes {
 public:
  /// For nodes 0..`nodes`-1. Throws std::bad_alloc, and nothing has changed then; all else never throws.
  void make_room(std::size_t nodes) {
    heap_.make_room(nodes);
    sched::make_room(places_, nodes);
    if (nodes > places_.size()) places_.resize(nodes);
  }
  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::uint32_t first() const { return heap_.top(); }
  /// When the first may go on.
  [[nodiscard]] Time until() const { return Time{Duration{static_cast<Duration::rep>(heap_.top_key())}}; }
  void add(std::uint32_t node, Time until) { heap_.push(until.time_since_epoch().count(), node, places_); }
  /// One that is in here.
  void remove(std::uint32_t node) { heap_.erase(node, places_); }

 private:
  IndexedHeap heap_;
  HeapPlaces places_;
};

}  // namespace fairfs::sched
