#include "sched/fair_queue.h"

#include <algorithm>

namespace fairfs::sched {

void FairQueue::enter(Nodes& nodes, std::uint32_t child) {
  Node& node = nodes.node[child];
  set_finish(node);
  if (node.start <= virtual_time_) {
    node.place = Node::Place::eligible;
    eligible_.push(node.finish, child, nodes.places);
  } else {
    node.place = Node::Place::waiting;
    waiting_.push(node.start, child, nodes.places);
  }
}

// V, but where it had to jump: with all the others ahead of their shares and the rest away it went past those. Whoever
// comes then starts beside them and not behind, or they would have the disk until they have caught up. Who is behind V
// because of a claim is no measure: beside him one would be before those who never left.
Tag FairQueue::entry() const {
  Tag tag = virtual_time_;
  if (!jumped_) return tag;
  if (!eligible_.empty()) tag = std::min(tag, eligible_.top_key());
  if (!away_.empty()) tag = std::min(tag, away_.top_key());
  return tag;
}

void FairQueue::leave(Nodes& nodes, std::uint32_t child) {
  Node& node = nodes.node[child];
  if (node.place == Node::Place::idle) return;
  IndexedHeap& heap = node.place == Node::Place::eligible  ? eligible_
                      : node.place == Node::Place::waiting ? waiting_
                                                           : away_;
  heap.erase(child, nodes.places);
  node.place = Node::Place::idle;
}

// V = max(min(V + served / weights, least F), least S). The last part keeps somebody eligible. The middle part isn't in
// the paper: without it one long request of a light child carries V past children that could not run meanwhile, and a
// newcomer starting at V would have to let each of them catch up by more than a request. Those away are such children.
void FairQueue::advance(Nodes& nodes, Tag target) {
  if (!away_.empty()) target = std::min(target, away_.top_key());
  if (!eligible_.empty()) {
    target = std::min(target, eligible_.top_key());
  } else if (!waiting_.empty()) {
    target = std::max(target, waiting_.top_key());
    jumped_ = jumped_ || (!away_.empty() && target > away_.top_key());
  }
  target = std::max(target, virtual_time_);  // a head that became cheaper may finish before V; V never turns back
  while (!waiting_.empty() && waiting_.top_key() <= target) {
    const std::uint32_t child = waiting_.top();
    waiting_.erase(child, nodes.places);
    Node& node = nodes.node[child];
    node.place = Node::Place::eligible;
    eligible_.push(node.finish, child, nodes.places);
    // Children come by S and F > S, so this never falls below the S of one that came before.
    target = std::max(virtual_time_, std::min(target, node.finish));
  }
  virtual_time_ = target;
}

void FairQueue::set_cost_among(Nodes& nodes, std::uint32_t child, std::uint64_t cost, std::uint64_t claim) {
  join(nodes);
  Node& node = nodes.node[child];
  const bool was_backlogged = node.cost != 0;
  node.cost = cost;
  if (was_backlogged && cost != 0) {
    set_finish(node);
    if (node.place == Node::Place::eligible) eligible_.change(node.finish, child, nodes.places);
  } else if (was_backlogged) {
    weight_sum_ -= node.weight;
    leave(nodes, child);
  } else {
    if (node.place == Node::Place::idle) {
      Tag place = entry();
      if (claim != 0) {
        std::uint64_t nothing_carried = 0;
        place = std::min(place, virtual_time_ - advance_of(claim, node.weight, nothing_carried));
      }
      node.start = std::max(node.start, place);
      weight_sum_ += node.weight;
    }
    leave(nodes, child);  // those away
    enter(nodes, child);
  }
  settle(nodes);
}

void FairQueue::serve_among(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost, bool away) {
  join(nodes);
  Node& node = nodes.node[child];
  leave(nodes, child);
  const Tag target = virtual_time_ + advance_of(spent, weight_sum_, remainder_);
  node.start += advance_of(spent, node.weight, node.remainder);
  node.cost = cost;
  if (cost != 0) {
    enter(nodes, child);
  } else {
    weight_sum_ -= node.weight;
    if (away) set_away(nodes, child, spent);
    if (weight_sum_ == 0) {  // nobody is left to look at
      virtual_time_ = target;
      return;
    }
  }
  advance(nodes, target);
}

void FairQueue::charge(Nodes& nodes, std::uint32_t child, std::uint64_t spent) {
  join(nodes);
  Node& node = nodes.node[child];
  const Node::Place place = node.place;
  leave(nodes, child);
  if (place == Node::Place::idle) node.start = std::max(node.start, virtual_time_);
  node.start += advance_of(spent, node.weight, node.remainder);
  if (place == Node::Place::away) {
    node.place = place;
    node.finish = node.start;
    away_.push(node.finish, child, nodes.places);
  } else if (place != Node::Place::idle) {
    enter(nodes, child);
    settle(nodes);
    choose(nodes);
  }
}

void FairQueue::set_away(Nodes& nodes, std::uint32_t child, std::uint64_t expected) {
  join(nodes);
  Node& node = nodes.node[child];
  if (node.place != Node::Place::idle) return;
  std::uint64_t nothing_carried = 0;
  node.finish = node.start + advance_of(expected, node.weight, nothing_carried);
  node.place = Node::Place::away;
  away_.push(node.finish, child, nodes.places);
  weight_sum_ += node.weight;
}

void FairQueue::set_idle(Nodes& nodes, std::uint32_t child) {
  Node& node = nodes.node[child];
  if (node.place != Node::Place::away) return;
  leave(nodes, child);
  weight_sum_ -= node.weight;
}

void FairQueue::set_weight(Nodes& nodes, std::uint32_t child, Weight weight) {
  join(nodes);
  Node& node = nodes.node[child];
  const Node::Place place = node.place;
  const bool counts = place != Node::Place::idle;
  leave(nodes, child);
  if (counts || node.start > virtual_time_) {
    node.start = virtual_time_ + (node.start - virtual_time_) * node.weight / weight;
  }
  if (counts) weight_sum_ = weight_sum_ - node.weight + weight;
  node.weight = weight;
  node.remainder = 0;  // less than one unit
  if (place == Node::Place::away) {
    node.finish = node.start;  // what was expected is forgotten; it keeps V back a little more
    node.place = Node::Place::away;
    away_.push(node.finish, child, nodes.places);
  } else if (counts) {
    enter(nodes, child);
    settle(nodes);
    choose(nodes);
  }
}

}  // namespace fairfs::sched
