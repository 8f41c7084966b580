#include "sched/limited_node.h"

#include <algorithm>

namespace fairfs::sched {

void LimitedNode::set(const Limits& limits, std::uint32_t depth) {
  limits_ = limits;
  if (limits.latency == Duration{}) {
    guard_.reset();
  } else if (guard_) {
    guard_->set_target(limits.latency);
  } else {
    guard_.emplace(limits.latency, depth);
  }
}

void LimitedNode::queued(Operation operation, Time now) {
  if (queued_[index(operation)]++ != 0 || operation == Operation::sync) return;
  // Nobody is owed the time for which it wanted nothing.
  (operation == Operation::read ? min_read_ : min_write_).begin(now);
  if (queued_[index(Operation::read)] + queued_[index(Operation::write)] == 1) min_iops_.begin(now);
}

void LimitedNode::served(Operation operation, std::uint64_t bytes, Time now) {
  if (operation == Operation::sync) return;
  const bool read = operation == Operation::read;
  (read ? max_read_ : max_write_).use(bytes, read ? limits_.max_read : limits_.max_write, slack_, now);
  (read ? min_read_ : min_write_).use(bytes, read ? limits_.min_read : limits_.min_write, kFloorSlack, now);
  max_iops_.use(1, limits_.max_iops, slack_, now);
  min_iops_.use(1, limits_.min_iops, kFloorSlack, now);
}

Time LimitedNode::allowed_at(Operation operation) const {
  if (operation == Operation::sync) return {};
  const bool read = operation == Operation::read;
  const Time bytes = (read ? limits_.max_read : limits_.max_write) == 0 ? Time{} : (read ? max_read_ : max_write_).at();
  return std::max(bytes, limits_.max_iops == 0 ? Time{} : max_iops_.at());
}

Time LimitedNode::any_allowed_at() const {
  Time first = kNever;
  for (const Operation operation : {Operation::read, Operation::write, Operation::sync}) {
    if (has(operation)) first = std::min(first, allowed_at(operation));
  }
  return first;
}

Time LimitedNode::due_at(Operation operation) const {
  if (operation == Operation::sync) return kNever;
  const bool read = operation == Operation::read;
  const Time bytes = (read ? limits_.min_read : limits_.min_write) == 0 ? kNever : (read ? min_read_ : min_write_).at();
  return std::min(bytes, limits_.min_iops == 0 ? kNever : min_iops_.at());
}

}  // namespace fairfs::sched
