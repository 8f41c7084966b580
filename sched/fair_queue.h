// Who among the children of one group is next: B-WF2Q+ (Bennett and Zhang 1997) in exact integers. README.md has the
// argument.
#pragma once

#include <cstdint>

#include "sched/indexed_heap.h"
#include "sched/node.h"

namespace fairfs::sched {

/// Knows no clock, request or parent: children are indices of `Nodes`, costs are ns of device time. Children with a
/// cost are backlogged and stand in one of two heaps: waiting (S > V, by S) or eligible (S <= V, by F). Each call is
/// O(log children).
///
/// Classes will be decided here, before weights: a group will hold one fair queue for each class (real-time,
/// best-effort, idle) and ask the first that isn't empty.
class FairQueue {
 public:
  [[nodiscard]] bool empty() const { return weight_sum_ == 0; }
  /// The eligible child with the least F; the queue isn't empty.
  [[nodiscard]] std::uint32_t best() const { return eligible_.top(); }
  [[nodiscard]] Tag virtual_time() const { return virtual_time_; }

  /// What `child`'s next request will be charged; 0: it has none. From idle it starts at max(V, where it stopped): what
  /// it didn't use meanwhile is gone, what it used ahead of its share isn't forgotten.
  void set_cost(Nodes& nodes, std::uint32_t child, std::uint64_t cost);
  /// A request of `child` was dispatched for `spent`; the next one costs `cost` (0: none). `child` need not be best().
  void serve(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost);
  /// Device time that the child is ahead or behind stays the same.
  void set_weight(Nodes& nodes, std::uint32_t child, Weight weight);

 private:
  void enter(Nodes& nodes, std::uint32_t child);
  void leave(Nodes& nodes, std::uint32_t child);
  void advance(Nodes& nodes, Tag target);

  Tag virtual_time_ = 0;
  std::uint64_t weight_sum_ = 0;  // of the backlogged children
  std::uint64_t remainder_ = 0;   // of virtual_time_, see advance_of
  IndexedHeap waiting_, eligible_;
};

}  // namespace fairfs::sched
