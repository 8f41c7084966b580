#include "sched/deadline_queue.h"

#include <algorithm>

#include "sched/virtual_time.h"

namespace fairfs::sched {
namespace {

/// The profile's real number as an integer, to a thousandth.
constexpr std::uint64_t kFixedPoint = 1024;
/// Requests that the moving mean remembers: a few times the usual depth, so that one large request doesn't move the
/// limit.
constexpr std::uint64_t kMeanOver = 64;

}  // namespace

DeadlineQueue::DeadlineQueue(Duration max_wait, const DiskProfile& profile)
    : max_wait_(max_wait),
      parallelism_fixed_(std::max<std::uint64_t>(1, static_cast<std::uint64_t>(profile.parallelism * kFixedPoint))),
      depth_(profile.depth) {}

void DeadlineQueue::push(Requests& requests, std::uint32_t index) {
  list_.push_back(requests, index);
  requests[index].aged = true;
}

void DeadlineQueue::erase(Requests& requests, std::uint32_t index) {
  if (!requests[index].aged) return;
  list_.erase(requests, index);
  requests[index].aged = false;
}

void DeadlineQueue::observe(std::uint64_t cost) {
  mean_sum_ = mean_sum_ == 0 ? cost * kMeanOver : mean_sum_ - mean_sum_ / kMeanOver + cost;
}

Duration DeadlineQueue::round(std::uint32_t backlogged_flows) const {
  const std::uint64_t at_once = std::min(parallelism_fixed_, depth_ * kFixedPoint);
  const Tag time = static_cast<Tag>(mean_sum_ / kMeanOver) * backlogged_flows * parallelism_fixed_ / at_once;
  const Duration by_cost{static_cast<Duration::rep>(std::min<Tag>(time, Duration::max().count() / 2))};
  return std::max(by_cost, turn_ * backlogged_flows);
}

Time DeadlineQueue::due(const Requests& requests, std::uint32_t backlogged_flows) const {
  if (list_.empty()) return kNever;
  const Duration limit = std::max(max_wait_, 2 * round(backlogged_flows));
  const Time submitted = requests[list_.front()].submitted;
  return limit < kNever - submitted - Duration{1} ? submitted + limit + Duration{1} : kNever;
}

bool DeadlineQueue::overdue(const Requests& requests, std::uint32_t backlogged_flows, Time now) const {
  // Most are not even as old as the least limit, which costs no division.
  if (list_.empty() || now - requests[list_.front()].submitted <= max_wait_) return false;
  return now >= due(requests, backlogged_flows);
}

}  // namespace fairfs::sched
