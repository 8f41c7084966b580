// Who among the children of one group is next: B-WF2Q+ (Bennett and Zhang 1997) in exact integers. README.md has the
// argument.
#pragma once

#include <cstdint>

#include "sched/indexed_heap.h"
#include "sched/node.h"

namespace fairfs::sched {

/// Knows no clock, request or parent: children are indices of `Nodes`, costs are ns of device time. Children with a
/// cost are backlogged and stand in one of two heaps: waiting (S > V, by S) or eligible (S <= V, by F). A child that is
/// away has nothing queued but is waited for: its weight counts, it keeps its tag, and V does not leave it behind. One
/// that has the queue to itself, as a flow alone has at each level, is eligible and stands in no heap: to the same tags
/// with a fraction of the steps. Each call is O(log children).
class FairQueue {
 public:
  /// So many children can come. Throws std::bad_alloc, and nothing has changed then; all else never throws.
  void make_room(std::size_t children) {
    for (IndexedHeap* const heap : {&waiting_, &eligible_, &away_}) heap->make_room(children);
  }
  /// Nobody is backlogged.
  [[nodiscard]] bool empty() const { return best_ == kNoIndex; }
  [[nodiscard]] bool has_away() const { return !away_.empty(); }
  /// The eligible child with the least F; the queue isn't empty.
  [[nodiscard]] std::uint32_t best() const { return best_; }
  [[nodiscard]] Tag virtual_time() const { return virtual_time_; }
  /// Of the backlogged children and those away.
  [[nodiscard]] std::uint64_t weight_sum() const { return weight_sum_; }

  /// What `child`'s next request will be charged; 0: it has none. From idle it starts at max(V, where it stopped): what
  /// it didn't use meanwhile is gone, what it used ahead of its share isn't forgotten. With a `claim` it may start that
  /// much device time (ns) before V, if it stopped there.
  void set_cost(Nodes& nodes, std::uint32_t child, std::uint64_t cost, std::uint64_t claim = 0) {
    if (nodes.node[child].cost == cost) return;
    if (weight_sum_ == 0) return enter_alone(nodes, child, cost, claim);
    set_cost_among(nodes, child, cost, claim);
    choose(nodes);
  }
  /// A request of `child` was dispatched for `spent`; the next one costs `cost` (0: none; it is `away` then, or idle).
  /// `child` need not be best().
  void serve(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost, bool away = false) {
    if (alone_ && (cost != 0 || !away)) return serve_alone(nodes, child, spent, cost);
    serve_among(nodes, child, spent, cost, away);
    choose(nodes);
  }
  /// `child` has had so much that wasn't dispatched here.
  void charge(Nodes& nodes, std::uint32_t child, std::uint64_t spent);
  /// A child without cost goes away, another `expected` ns being taken for its next request, or is waited for no more.
  void set_away(Nodes& nodes, std::uint32_t child, std::uint64_t expected);
  void set_idle(Nodes& nodes, std::uint32_t child);
  /// Device time that the child is ahead or behind stays the same.
  void set_weight(Nodes& nodes, std::uint32_t child, Weight weight);

 private:
  /// Where a newcomer starts.
  [[nodiscard]] Tag entry() const;
  static void set_finish(Node& node) {
    std::uint64_t carried = node.remainder;  // a look ahead: only serve() keeps what is left over
    node.finish = node.start + advance_of(node.cost, node.weight, carried);
  }
  // alone.cc
  void enter_alone(Nodes& nodes, std::uint32_t child, std::uint64_t cost, std::uint64_t claim);
  void serve_alone(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost);
  /// Whoever was alone stands in the heap from now on.
  void join(Nodes& nodes);
  /// Sets best_, and who is alone, by what the heaps say.
  void choose(Nodes& nodes);
  // fair_queue.cc
  void set_cost_among(Nodes& nodes, std::uint32_t child, std::uint64_t cost, std::uint64_t claim);
  void serve_among(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost, bool away);
  void enter(Nodes& nodes, std::uint32_t child);
  void leave(Nodes& nodes, std::uint32_t child);
  void advance(Nodes& nodes, Tag target);
  /// The same to where V is already. With somebody eligible it stays there, and nobody's turn comes but by its place.
  void settle(Nodes& nodes) {
    if (!eligible_.empty() && (waiting_.empty() || waiting_.top_key() > virtual_time_)) return;
    advance(nodes, virtual_time_);
  }

  Tag virtual_time_ = 0;
  std::uint32_t best_ = kNoIndex;
  bool alone_ = false;                     // best_ stands in no heap, and nobody else is backlogged or away
  bool jumped_ = false;                    // V has gone past somebody who was away
  std::uint64_t weight_sum_ = 0;           // of the children that aren't idle
  std::uint64_t remainder_ = 0;            // of virtual_time_, see advance_of
  IndexedHeap waiting_, eligible_, away_;  // the last by F
};

}  // namespace fairfs::sched
