// The tree of shares: one fair queue a group, flows as leaves. Which leaf is next, and what a dispatch costs each
// level.
#pragma once

#include <cstdint>

#include "sched/fair_queue.h"
#include "sched/node.h"
#include "sched/slab.h"

namespace fairfs::sched {

/// Node 0 is the root, a group. A group's cost is always that of the request its best path would give, so that its
/// finish tag is as exact as a leaf's. Each call is O(levels * log siblings).
class Tree {
 public:
  Tree();

  /// `body`: the caller's index for the flow.
  std::uint32_t add_flow(std::uint32_t parent, Weight weight, std::uint32_t body);
  std::uint32_t add_group(std::uint32_t parent, Weight weight);
  /// Idle, and without children.
  void remove(std::uint32_t node);
  void set_weight(std::uint32_t node, Weight weight);

  /// The caller's index of a flow; asserts that it is one.
  [[nodiscard]] std::uint32_t flow(std::uint32_t node) const;
  [[nodiscard]] bool is_flow(std::uint32_t node) const;
  [[nodiscard]] bool empty() const { return groups_[0].queue.empty(); }
  /// The leaf whose request is next; the tree isn't empty.
  [[nodiscard]] std::uint32_t best() const;

  /// What the leaf's next request will be charged (ns; 0: it has none).
  void set_cost(std::uint32_t leaf, std::uint64_t cost);
  /// The leaf dispatched a request for `spent`; its next one costs `cost` (0: none).
  void serve(std::uint32_t leaf, std::uint64_t spent, std::uint64_t cost);

 private:
  struct Group {
    FairQueue queue;
    std::uint32_t children = 0;
  };

  std::uint32_t add(std::uint32_t parent, Weight weight, Node::Kind kind, std::uint32_t body);
  [[nodiscard]] const Node& existing(std::uint32_t node) const;
  [[nodiscard]] Group& parent_of(std::uint32_t node) { return groups_[nodes_.node[nodes_.node[node].parent].body]; }
  [[nodiscard]] std::uint64_t cost_of(const FairQueue& queue) const;
  void refresh(std::uint32_t node);

  Nodes nodes_;
  std::vector<std::uint32_t> free_;
  Slab<Group> groups_;
};

}  // namespace fairfs::sched
