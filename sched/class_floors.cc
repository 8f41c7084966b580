#include "sched/class_floors.h"

#include <algorithm>
#include <utility>

namespace fairfs::sched {
namespace {

/// Between two requests that are this far apart the disk was not busy.
constexpr Duration kPauseMax = std::chrono::milliseconds{10};

}  // namespace

void ClassFloors::look(Class& lower, bool backlogged, Time now) const {
  if (backlogged && !lower.waits) lower.waits_since = now;
  lower.waits = backlogged;
  if (backlogged && (lower.owed >= turn_ || now - lower.waits_since >= kClassAge)) lower.turn = true;
}

void ClassFloors::served(ServiceClass service, std::uint64_t cost, Time now) {
  const std::int64_t since = std::min(now - std::exchange(last_, now), kPauseMax).count();
  const std::int64_t before = std::exchange(last_cost_, static_cast<std::int64_t>(cost));
  if (since > before) spend(last_class_, since - before, now);
  last_class_ = static_cast<unsigned>(service);
  spend(last_class_, last_cost_, now);
}

void ClassFloors::spend(unsigned index, std::int64_t spent, Time now) {
  Class& own = classes_[index];
  own.waits_since = now;
  // What it is given for another reason, a deadline, is no less worth.
  own.owed = own.turn ? own.owed - spent : std::max<std::int64_t>(own.owed - spent, 0);
  if (own.owed <= 0) own.turn = false;
  for (unsigned i = index + 1; i < kClasses; ++i) {
    Class& lower = classes_[i];
    // What is left of a turn that nobody took is worth one turn, not more.
    if (lower.waits) lower.owed = std::min(lower.owed + spent * floor(i) / 1000, 2 * turn_ + spent);
  }
}

}  // namespace fairfs::sched
