#include "sched/class_trees.h"

#include "sched/check.h"

namespace fairfs::sched {

// The trees are changed in step from the same beginning, so each gives out the same index; all of them or none.
std::uint32_t ClassTrees::add_flow(std::uint32_t parent, Weight weight, std::uint32_t body) {
  make_room(parent);
  const std::uint32_t index = trees_[0].add_flow(parent, weight, body);
  for (unsigned i = 1; i < kClasses; ++i) FAIRFS_CHECK(trees_[i].add_flow(parent, weight, body) == index);
  return index;
}

std::uint32_t ClassTrees::add_group(std::uint32_t parent, Weight weight) {
  make_room(parent);
  const std::uint32_t index = trees_[0].add_group(parent, weight);
  for (unsigned i = 1; i < kClasses; ++i) FAIRFS_CHECK(trees_[i].add_group(parent, weight) == index);
  return index;
}

void ClassTrees::remove(std::uint32_t node) {
  for (Tree& tree : trees_) tree.remove(node);
}

void ClassTrees::set_weight(std::uint32_t node, Weight weight) {
  for (Tree& tree : trees_) tree.set_weight(node, weight);
}

}  // namespace fairfs::sched
