// The tree of shares, once for each class: which leaf of which class is next.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sched/tree.h"
#include "sched/types.h"

namespace fairfs::sched {

/// Class is decided before weight, and so before the tree: a flow of a higher class is served before those of a lower
/// one whatever group it is in. Each class has the whole tree with tags of its own; a leaf is backlogged in one of
/// them, in that of its class. A node has the same index in all.
class ClassTrees {
 public:
  /// Tree's of that name, for all.
  void make_room(std::uint32_t parent) {
    for (Tree& tree : trees_) tree.make_room(parent);
  }
  std::uint32_t add_flow(std::uint32_t parent, Weight weight, std::uint32_t body);
  std::uint32_t add_group(std::uint32_t parent, Weight weight);
  void remove(std::uint32_t node);
  void set_weight(std::uint32_t node, Weight weight);

  /// Indices are below.
  [[nodiscard]] std::size_t nodes() const { return trees_[0].nodes(); }
  [[nodiscard]] std::uint32_t flow(std::uint32_t node) const { return trees_[0].flow(node); }
  [[nodiscard]] bool is_flow(std::uint32_t node) const { return trees_[0].is_flow(node); }

  [[nodiscard]] bool is_blocked(std::uint32_t node) const { return trees_[0].is_blocked(node); }
  [[nodiscard]] std::uint32_t parent(std::uint32_t node) const { return trees_[0].parent(node); }

  [[nodiscard]] Tree& of(ServiceClass service) { return trees_[static_cast<unsigned>(service)]; }
  [[nodiscard]] bool backlogged(unsigned service) const { return !trees_[service].empty(); }
  /// By somebody with something queued, or away.
  [[nodiscard]] bool wanted(unsigned service) const { return trees_[service].wanted(); }
  [[nodiscard]] bool any_backlogged() const {
    return std::any_of(trees_.begin(), trees_.end(), [](const Tree& tree) { return !tree.empty(); });
  }

 private:
  std::array<Tree, kClasses> trees_;
};

}  // namespace fairfs::sched
