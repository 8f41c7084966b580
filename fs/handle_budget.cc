#include "fs/handle_budget.h"

namespace fairfs::fs {
namespace {

/// One in so many is for root and the daemon's user alone: enough to look at what is wrong and end it.
constexpr std::size_t kOwnersPart = 8;

}  // namespace

HandleSeat::~HandleSeat() {
  if (budget_ != nullptr) budget_->give_back(user_);
}

HandleSeat HandleBudget::take(uid_t user) {
  const std::lock_guard lock{mutex_};
  const auto known = users_.find(user);
  if (!may_take(user, known == users_.end() ? 0 : known->second)) return {};
  if (known == users_.end())
    users_.emplace(user, 1);
  else
    ++known->second;
  ++taken_;
  return {*this, user};
}

bool HandleBudget::may_take(uid_t user, std::size_t has) const noexcept {
  if (user == 0 || user == owner_) return taken_ < most_;
  const std::size_t others_most = most_ - most_ / kOwnersPart;
  return taken_ < others_most && has < others_most - taken_;
}

void HandleBudget::give_back(uid_t user) noexcept {
  const std::lock_guard lock{mutex_};
  --taken_;
  const auto known = users_.find(user);
  if (--known->second == 0) users_.erase(known);
}

std::size_t HandleBudget::taken_by(uid_t user) const {
  const std::lock_guard lock{mutex_};
  const auto known = users_.find(user);
  return known == users_.end() ? 0 : known->second;
}

}  // namespace fairfs::fs
