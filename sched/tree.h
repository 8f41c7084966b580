// The tree of shares: one fair queue a group, flows as leaves. Which leaf is next, and what a dispatch costs each
// level.
#pragma once

#include <cstdint>

#include "sched/check.h"
#include "sched/fair_queue.h"
#include "sched/node.h"
#include "sched/slab.h"

namespace fairfs::sched {

/// Node 0 is the root, a group. A group's cost is always that of the request its best path would give, so that its
/// finish tag is as exact as a leaf's. Each call is O(levels * log siblings).
class Tree {
 public:
  Tree();

  /// The next flow or group below `parent` can be added. Throws std::bad_alloc, and nothing has changed then; all else
  /// but adding never throws.
  void make_room(std::uint32_t parent);
  /// `body`: the caller's index for the flow.
  std::uint32_t add_flow(std::uint32_t parent, Weight weight, std::uint32_t body);
  std::uint32_t add_group(std::uint32_t parent, Weight weight);
  /// Idle, and without children.
  void remove(std::uint32_t node);
  void set_weight(std::uint32_t node, Weight weight);

  /// Indices are below: of the root, of all there are, and of some that were.
  [[nodiscard]] std::size_t nodes() const { return nodes_.node.size(); }
  /// The caller's index of a flow; asserts that it is one.
  [[nodiscard]] std::uint32_t flow(std::uint32_t node) const {  // a dozen times for each request
    FAIRFS_CHECK(node < nodes_.node.size() && nodes_.node[node].kind == Node::Kind::flow);
    return nodes_.node[node].body;
  }
  [[nodiscard]] bool is_flow(std::uint32_t node) const;
  [[nodiscard]] bool empty() const { return groups_[0].queue.empty(); }
  /// Somebody is backlogged or away.
  [[nodiscard]] bool wanted() const { return groups_[0].queue.weight_sum() != 0; }
  /// The leaf whose request is next; the tree isn't empty.
  [[nodiscard]] std::uint32_t best() const;
  /// The leaf below a node, or the node itself, whose request is next there; kNoIndex without one.
  [[nodiscard]] std::uint32_t best_in(std::uint32_t node) const;
  /// Whether a backlogged leaf has not had more than its share, at any level: S <= V.
  [[nodiscard]] bool eligible(std::uint32_t leaf) const;

  /// Whether `leaf`, which may be idle, has been given so much less than `other` for its weight that it would still be
  /// before it after another `expected` ns: decided where their paths part.
  [[nodiscard]] bool behind(std::uint32_t leaf, std::uint64_t expected, std::uint32_t other) const;
  /// Part of the disk, in units of 1 / kShareOne, that is due to a leaf beside those that are backlogged or away now,
  /// or would be if it were one of them.
  [[nodiscard]] std::uint64_t share(std::uint32_t leaf) const;
  static constexpr std::uint64_t kShareOne = std::uint64_t{1} << 20;

  /// What the leaf's next request will be charged (ns; 0: it has none). `claim`: see FairQueue; also for the groups
  /// that it wakes.
  void set_cost(std::uint32_t leaf, std::uint64_t cost, std::uint64_t claim = 0);
  /// The leaf dispatched a request for `spent`; its next one costs `cost` (0: none; `away`: see FairQueue). A group of
  /// which some are away and none is backlogged is away.
  void serve(std::uint32_t leaf, std::uint64_t spent, std::uint64_t cost, bool away = false);
  /// The groups above the leaf are given `spent` less from now on.
  void charge_above(std::uint32_t leaf, std::uint64_t spent);
  /// Whatever waits in the node, it counts as idle until it is unblocked; no request of it may be served meanwhile.
  void block(std::uint32_t node);
  /// `cost`: of a leaf's next request.
  void unblock(std::uint32_t node, std::uint64_t cost);
  [[nodiscard]] bool is_blocked(std::uint32_t node) const { return nodes_.node[node].blocked; }
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return nodes_.node[node].parent; }

  /// A leaf that was away is waited for no more.
  void set_idle(std::uint32_t leaf);

 private:
  struct Group {
    FairQueue queue;
    std::uint32_t children = 0;
  };

  std::uint32_t add(std::uint32_t parent, Weight weight, Node::Kind kind, std::uint32_t body);
  [[nodiscard]] const Node& existing(std::uint32_t node) const;
  [[nodiscard]] Group& parent_of(std::uint32_t node) { return groups_[nodes_.node[nodes_.node[node].parent].body]; }
  [[nodiscard]] std::uint64_t cost_of(const FairQueue& queue) const;
  void refresh(std::uint32_t node, std::uint64_t claim);
  [[nodiscard]] unsigned level(std::uint32_t node) const;

  Nodes nodes_;
  std::vector<std::uint32_t> free_;
  Slab<Group> groups_;
};

}  // namespace fairfs::sched
