#include "sched/tree.h"

#include <algorithm>

#include "sched/check.h"

namespace fairfs::sched {
namespace {
constexpr std::uint32_t kRootIndex = static_cast<std::uint32_t>(kRoot);
}

Tree::Tree() {
  nodes_.node.emplace_back();
  nodes_.places.push_back(0);
  nodes_.node[kRootIndex].kind = Node::Kind::group;
  nodes_.node[kRootIndex].body = groups_.add({});
}

const Node& Tree::existing(std::uint32_t node) const {
  FAIRFS_CHECK(node < nodes_.node.size() && nodes_.node[node].kind != Node::Kind::unused);
  return nodes_.node[node];
}

std::uint32_t Tree::add(std::uint32_t parent, Weight weight, Node::Kind kind, std::uint32_t body) {
  FAIRFS_CHECK(existing(parent).kind == Node::Kind::group);
  FAIRFS_CHECK(weight >= kWeightMin && weight <= kWeightMax);
  std::uint32_t index = 0;
  if (free_.empty()) {
    index = static_cast<std::uint32_t>(nodes_.node.size());
    nodes_.node.emplace_back();
    nodes_.places.push_back(0);
  } else {
    index = free_.back();
    free_.pop_back();
  }
  Node& node = nodes_.node[index];
  node.parent = parent;
  node.body = body;
  node.weight = weight;
  node.kind = kind;
  ++parent_of(index).children;
  return index;
}

std::uint32_t Tree::add_flow(std::uint32_t parent, Weight weight, std::uint32_t body) {
  make_room(parent);
  return add(parent, weight, Node::Kind::flow, body);
}

std::uint32_t Tree::add_group(std::uint32_t parent, Weight weight) {
  make_room(parent);
  return add(parent, weight, Node::Kind::group, groups_.add({}));
}

void Tree::remove(std::uint32_t node) {
  FAIRFS_CHECK(node != kRootIndex && existing(node).cost == 0);
  if (!is_flow(node)) {
    FAIRFS_CHECK(groups_[nodes_.node[node].body].children == 0);
    groups_.release(nodes_.node[node].body);
  }
  --parent_of(node).children;
  nodes_.node[node] = Node{};
  free_.push_back(node);
}

bool Tree::is_flow(std::uint32_t node) const { return existing(node).kind == Node::Kind::flow; }

std::uint32_t Tree::best() const {
  std::uint32_t node = kRootIndex;
  while (nodes_.node[node].kind == Node::Kind::group) node = groups_[nodes_.node[node].body].queue.best();
  return node;
}

std::uint32_t Tree::best_in(std::uint32_t node) const {
  while (nodes_.node[node].kind == Node::Kind::group) {
    const FairQueue& queue = groups_[nodes_.node[node].body].queue;
    if (queue.empty()) return kNoIndex;
    node = queue.best();
  }
  return nodes_.node[node].cost != 0 ? node : kNoIndex;
}

bool Tree::eligible(std::uint32_t leaf) const {
  std::uint32_t node = leaf;
  while (node != kRootIndex && nodes_.node[node].place == Node::Place::eligible) node = parent(node);
  return node == kRootIndex;
}

std::uint64_t Tree::cost_of(const FairQueue& queue) const { return queue.empty() ? 0 : nodes_.node[queue.best()].cost; }

// Carries a changed cost up as far as it changes anything. Every group holds the cost of its best path before and
// after.
void Tree::refresh(std::uint32_t node, std::uint64_t claim) {
  while (node != kRootIndex) {
    const FairQueue& own = groups_[nodes_.node[node].body].queue;
    const std::uint64_t before = nodes_.node[node].cost;
    const std::uint64_t cost = nodes_.node[node].blocked ? 0 : cost_of(own);
    if (cost == before) return;
    parent_of(node).queue.set_cost(nodes_, node, cost, claim);
    if (cost == 0 && own.has_away() && !nodes_.node[node].blocked) parent_of(node).queue.set_away(nodes_, node, before);
    node = parent(node);
  }
}

void Tree::set_cost(std::uint32_t leaf, std::uint64_t cost, std::uint64_t claim) {
  if (nodes_.node[leaf].blocked) return;
  parent_of(leaf).queue.set_cost(nodes_, leaf, cost, claim);
  refresh(parent(leaf), claim);
}

void Tree::block(std::uint32_t node) {
  nodes_.node[node].blocked = true;
  parent_of(node).queue.set_cost(nodes_, node, 0);
  set_idle(node);
  refresh(parent(node), 0);
}

void Tree::unblock(std::uint32_t node, std::uint64_t cost) {
  nodes_.node[node].blocked = false;
  if (nodes_.node[node].kind == Node::Kind::group) cost = cost_of(groups_[nodes_.node[node].body].queue);
  parent_of(node).queue.set_cost(nodes_, node, cost);
  refresh(parent(node), 0);
}

void Tree::serve(std::uint32_t leaf, std::uint64_t spent, std::uint64_t cost, bool away) {
  for (std::uint32_t node = leaf; node != kRootIndex; node = parent(node)) {
    FairQueue& queue = parent_of(node).queue;
    queue.serve(nodes_, node, spent, cost, away);
    cost = cost_of(queue);
    away = queue.has_away();
  }
}

void Tree::charge_above(std::uint32_t leaf, std::uint64_t spent) {
  for (std::uint32_t node = parent(leaf); node != kRootIndex; node = parent(node)) {
    parent_of(node).queue.charge(nodes_, node, spent);
    refresh(parent(node), 0);
  }
}

void Tree::set_idle(std::uint32_t leaf) {
  for (std::uint32_t node = leaf; node != kRootIndex; node = parent(node)) {
    FairQueue& queue = parent_of(node).queue;
    queue.set_idle(nodes_, node);
    if (queue.has_away()) return;
  }
}

void Tree::set_weight(std::uint32_t node, Weight weight) {
  FAIRFS_CHECK(node != kRootIndex && existing(node).kind != Node::Kind::unused);
  FAIRFS_CHECK(weight >= kWeightMin && weight <= kWeightMax);
  parent_of(node).queue.set_weight(nodes_, node, weight);
  refresh(parent(node), 0);
}

unsigned Tree::level(std::uint32_t node) const {
  unsigned level = 0;
  for (; node != kRootIndex; node = parent(node)) ++level;
  return level;
}

bool Tree::behind(std::uint32_t leaf, std::uint64_t expected, std::uint32_t other) const {
  if (leaf == other) return false;
  for (unsigned levels = level(leaf), others = level(other); levels != others;) {
    if (levels > others) {
      leaf = parent(leaf), --levels;
    } else {
      other = parent(other), --others;
    }
  }
  while (parent(leaf) != parent(other)) leaf = parent(leaf), other = parent(other);
  const Node& node = nodes_.node[leaf];
  std::uint64_t nothing_carried = 0;
  return node.start + advance_of(expected, node.weight, nothing_carried) < nodes_.node[other].start;
}

std::uint64_t Tree::share(std::uint32_t leaf) const {
  std::uint64_t share = kShareOne;
  for (std::uint32_t node = leaf; node != kRootIndex; node = parent(node)) {
    const std::uint64_t others = groups_[nodes_.node[parent(node)].body].queue.weight_sum();
    const Node& own = nodes_.node[node];
    share = share * own.weight / (own.place == Node::Place::idle ? others + own.weight : others);
  }
  return share;
}

}  // namespace fairfs::sched
