// One node with floors or ceilings: what it may have now, and what it is owed.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "sched/constants.h"
#include "sched/latency_guard.h"
#include "sched/limits.h"
#include "sched/rate_tag.h"
#include "sched/types.h"

namespace fairfs::sched {

class LimitedNode {
 public:
  /// `slack`: that of a ceiling.
  explicit LimitedNode(std::uint32_t node, Duration slack = kCeilingSlack) : node_(node), slack_(slack) {}

  [[nodiscard]] std::uint32_t node() const { return node_; }
  [[nodiscard]] const Limits& limits() const { return limits_; }
  /// What was used until now still counts. `depth`: the scheduler's slots.
  void set(const Limits& limits, std::uint32_t depth);
  /// None without a latency.
  [[nodiscard]] std::optional<LatencyGuard>& guard() { return guard_; }
  [[nodiscard]] const std::optional<LatencyGuard>& guard() const { return guard_; }

  /// A request was queued in the node or below, or left the queue.
  void queued(Operation operation, Time now);
  void unqueued(Operation operation) { --queued_[index(operation)]; }
  /// One was dispatched.
  void served(Operation operation, std::uint64_t bytes, Time now);

  /// When the ceilings let the next request of this kind start; in the past: now.
  [[nodiscard]] Time allowed_at(Operation operation) const;
  /// The same for whatever is queued, the first of them.
  [[nodiscard]] Time any_allowed_at() const;
  /// Since when the floor for requests of this kind is due; kNever: it isn't there.
  [[nodiscard]] Time due_at(Operation operation) const;
  [[nodiscard]] bool has(Operation operation) const { return queued_[index(operation)] != 0; }

 private:
  static constexpr std::size_t index(Operation operation) { return static_cast<std::size_t>(operation); }

  std::uint32_t node_;
  Limits limits_;
  Duration slack_;
  std::optional<LatencyGuard> guard_;
  std::array<std::uint32_t, 3> queued_{};  // by operation
  RateTag max_read_, max_write_, max_iops_;
  RateTag min_read_, min_write_, min_iops_;
};

}  // namespace fairfs::sched
