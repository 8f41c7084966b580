// Memory, taken before anything is changed: from there on nothing fails for want of it.
#include "sched/check.h"
#include "sched/scheduler_state.h"

namespace fairfs::sched {

void Scheduler::State::make_room_for_node(std::uint32_t parent, bool is_flow) {
  trees.make_room(parent);
  blocked.make_room(trees.nodes() + 1);
  if (!is_flow) return;
  flows.make_room();
  make_room(awaited, flows.size() + 1);
}

void Scheduler::State::make_room_for_request(Operation operation) {
  requests.make_room();
  if (operation == Operation::sync) make_room(queued_syncs, queued_syncs.size() + 1);
}

void Tree::make_room(std::uint32_t parent) {
  FAIRFS_CHECK(existing(parent).kind == Node::Kind::group);
  Group& above = groups_[nodes_.node[parent].body];
  above.queue.make_room(above.children + 1);
  groups_.make_room();  // moves `above`
  if (!free_.empty()) return;
  const std::size_t nodes = nodes_.node.size() + 1;
  sched::make_room(free_, nodes);  // for their removal
  sched::make_room(nodes_.places, nodes);
  sched::make_room(nodes_.node, nodes);
}

}  // namespace fairfs::sched
