// A fair queue that one child has to itself: the steps of fair_queue.cc with nobody to compare it with.
#include <algorithm>

#include "sched/fair_queue.h"

namespace fairfs::sched {

void FairQueue::join(Nodes& nodes) {
  if (!alone_) return;
  eligible_.push(nodes.node[best_].finish, best_, nodes.places);
  alone_ = false;
}

void FairQueue::choose(Nodes& nodes) {
  best_ = eligible_.empty() ? kNoIndex : eligible_.top();
  alone_ = eligible_.size() == 1 && waiting_.empty() && away_.empty();
  if (alone_) eligible_.erase(best_, nodes.places);
}

void FairQueue::enter_alone(Nodes& nodes, std::uint32_t child, std::uint64_t cost, std::uint64_t claim) {
  Node& node = nodes.node[child];
  if (node.start >= virtual_time_) {
    virtual_time_ = node.start;
  } else {
    std::uint64_t nothing_carried = 0;
    node.start = std::max(node.start, virtual_time_ - advance_of(claim, node.weight, nothing_carried));
  }
  node.cost = cost;
  node.place = Node::Place::eligible;
  set_finish(node);
  weight_sum_ = node.weight;
  best_ = child;
  alone_ = true;
}

// advance(), with nobody away and nobody else: V goes on to what was served, but neither past F nor back behind S.
void FairQueue::serve_alone(Nodes& nodes, std::uint32_t child, std::uint64_t spent, std::uint64_t cost) {
  Node& node = nodes.node[child];
  const Tag target = virtual_time_ + advance_of(spent, weight_sum_, remainder_);
  node.start += advance_of(spent, node.weight, node.remainder);
  node.cost = cost;
  if (cost != 0) {
    set_finish(node);
    virtual_time_ = std::max(virtual_time_, std::min(std::max(target, node.start), node.finish));
  } else {
    node.place = Node::Place::idle;
    best_ = kNoIndex;
    alone_ = false;
    weight_sum_ = 0;
    virtual_time_ = target;
  }
}

}  // namespace fairfs::sched
