// Ceilings: who may not start yet stands aside, with all that is below it if nothing there may.
#include <algorithm>

#include "sched/scheduler_state.h"

namespace fairfs::sched {
namespace {

/// Requests of one flow looked through for one that a ceiling lets go: readahead and a few writes. 1 us.
constexpr unsigned kSearched = 64;

}  // namespace

void Scheduler::State::settle_ceilings(Time now) {
  while (!blocked.empty() && blocked.until() <= now) unblock(blocked.first());
  for (unsigned service = 0; service < kClasses; ++service) {
    Tree& tree = trees.of(static_cast<ServiceClass>(service));
    while (!tree.empty() && !admitted(tree.best(), now)) {
    }
  }
}

void Scheduler::State::unblock(std::uint32_t node) {
  blocked.remove(node);
  const std::uint64_t cost = trees.is_flow(node) ? flow_of(node).next_charge(requests, model) : 0;
  for (unsigned service = 0; service < kClasses; ++service) {
    const bool own = !trees.is_flow(node) || flow_of(node).service == static_cast<ServiceClass>(service);
    trees.of(static_cast<ServiceClass>(service)).unblock(node, own ? cost : 0);
  }
}

void Scheduler::State::unblock_path(std::uint32_t leaf) {
  for (std::uint32_t node = leaf; node != static_cast<std::uint32_t>(kRoot); node = trees.parent(node)) {
    if (trees.is_blocked(node)) unblock(node);
  }
}

bool Scheduler::State::admitted(std::uint32_t leaf, Time now) {
  Flow& flow = flow_of(leaf);
  Time until = kNever;
  std::uint32_t keeper = leaf;
  unsigned searched = 0;
  // The first request of each kind in the queue decides for those behind it.
  for (std::uint32_t index = flow.queue.front(); index != kNoIndex && searched++ < kSearched;
       index = requests[index].in_flow.next) {
    Time allowed{};
    each_limited(leaf, [&](const LimitedNode& limited) {
      const Time at = limited.allowed_at(requests[index].operation);
      if (at > allowed && limited.any_allowed_at() > now) keeper = limited.node();
      allowed = std::max(allowed, at);
    });
    if (allowed <= now) {
      if (index != flow.queue.front()) {
        flow.queue.erase(requests, index);
        flow.queue.insert(requests, index, kNoIndex);
        refresh(leaf);
      }
      return true;
    }
    until = std::min(until, allowed);
  }
  if (const LimitedNode* const limited = limits.find(keeper)) {
    if (limited->any_allowed_at() > now) until = std::max(limited->any_allowed_at(), now);
  }
  for (unsigned service = 0; service < kClasses; ++service) trees.of(static_cast<ServiceClass>(service)).block(keeper);
  blocked.add(keeper, until);
  return false;
}

bool Scheduler::State::startable(std::uint32_t leaf, Time now) {
  if (flow_of(leaf).queue.empty()) return false;
  if (limits.empty()) return true;
  for (std::uint32_t node = leaf; node != static_cast<std::uint32_t>(kRoot); node = trees.parent(node)) {
    if (trees.is_blocked(node)) return false;
  }
  return admitted(leaf, now);
}

std::uint32_t Scheduler::State::overdue(Time now) {
  if (by_age.overdue(requests, backlogged_flows, now) && !gated(by_age.oldest(), now)) return by_age.oldest();
  if (by_age_limited.empty() || !by_age_limited.overdue(requests, backlogged_flows, now)) return neglected(now);
  const std::uint32_t index = by_age_limited.oldest();
  if (gated(index, now) || !startable(requests[index].flow, now)) return kNoIndex;
  const std::uint32_t first = flow_of(requests[index].flow).queue.front();
  return requests[first].operation == requests[index].operation ? index : kNoIndex;
}

void Scheduler::State::set_limits(std::uint32_t node, const Limits& wanted, Time now) {
  LimitedNode* limited = limits.find(node);
  if (limited == nullptr && !wanted.any()) return;
  if (limited != nullptr && wanted.any()) return limited->set(wanted, depth);
  if (limited != nullptr) {
    limits.remove(node);
  } else if (wanted.any()) {
    limited = &limits.add(node, exclusive ? kCeilingSlackAmongTurns : kCeilingSlack);
    limited->set(wanted, depth);
    for (std::uint32_t index = 0; index < requests.size(); ++index) {
      if (requests[index].state != HeldRequest::State::queued) continue;
      std::uint32_t above = requests[index].flow;
      while (above != node && above != static_cast<std::uint32_t>(kRoot)) above = trees.parent(above);
      if (above == node) limited->queued(requests[index].operation, now);
    }
  }
  while (!blocked.empty()) unblock(blocked.first());  // who still has to wait is found out anew
}

}  // namespace fairfs::sched
