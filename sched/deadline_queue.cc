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
  return Duration{static_cast<Duration::rep>(std::min<Tag>(time, Duration::max().count() / 2))};
}

bool DeadlineQueue::overdue(const Requests& requests, std::uint32_t backlogged_flows, Time now) const {
  if (list_.empty()) return false;
  const Duration waited = now - requests[list_.front()].submitted;
  return waited > max_wait_ && waited > 2 * round(backlogged_flows);
}

}  // namespace fairfs::sched
