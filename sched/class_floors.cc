#include "sched/class_floors.h"

#include <algorithm>

namespace fairfs::sched {

void ClassFloors::look(Class& lower, bool backlogged, Time now) const {
  if (backlogged && !lower.waits) lower.waits_since = now;
  lower.waits = backlogged;
  if (backlogged && (lower.owed >= turn_ || now - lower.waits_since >= kClassAge)) lower.turn = true;
}

void ClassFloors::served(ServiceClass service, std::uint64_t cost, Time now) {
  const auto spent = static_cast<std::int64_t>(cost);
  const auto index = static_cast<unsigned>(service);
  Class& own = classes_[index];
  own.waits_since = now;
  if (own.turn) own.owed -= spent;
  if (own.owed <= 0) own.turn = false;
  for (unsigned i = index + 1; i < kClasses; ++i) {
    Class& lower = classes_[i];
    // What is left of a turn that nobody took is worth one turn, not more.
    if (lower.waits) lower.owed = std::min(lower.owed + spent * kFloors[i] / 1000, 2 * turn_ + spent);
  }
}

}  // namespace fairfs::sched
