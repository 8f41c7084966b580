// The nodes that have floors or ceilings.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/class_trees.h"
#include "sched/limited_node.h"
#include "sched/node.h"

namespace fairfs::sched {

class LimitTable {
 public:
  [[nodiscard]] bool empty() const { return all_.empty(); }
  [[nodiscard]] const std::vector<std::unique_ptr<LimitedNode>>& all() const { return all_; }
  /// Null for a node without.
  [[nodiscard]] LimitedNode* find(std::uint32_t node) const {
    return node < of_node_.size() ? of_node_[node] : nullptr;
  }
  /// Those of the node and of what it is below.
  template <typename Do>
  void each_above(const ClassTrees& trees, std::uint32_t node, Do what) const {
    if (empty()) return;
    for (; node != static_cast<std::uint32_t>(kRoot); node = trees.parent(node)) {
      if (LimitedNode* const limited = find(node)) what(*limited);
    }
  }
  LimitedNode& add(std::uint32_t node, Duration slack) {
    if (of_node_.size() <= node) of_node_.resize(node + 1);
    all_.push_back(std::make_unique<LimitedNode>(node, slack));
    return *(of_node_[node] = all_.back().get());
  }
  void remove(std::uint32_t node) {
    LimitedNode* const gone = find(node);
    if (gone == nullptr) return;
    of_node_[node] = nullptr;
    std::erase_if(all_, [gone](const auto& limited) { return limited.get() == gone; });
  }

 private:
  std::vector<std::unique_ptr<LimitedNode>> all_;
  std::vector<LimitedNode*> of_node_;  // by node; null without
};

}  // namespace fairfs::sched
