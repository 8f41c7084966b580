// The flows there are, and the groups above them, kept in step with the scheduler's tree.
#pragma once

#include <atomic>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "sched/engine/flow.h"
#include "sched/engine/placement.h"
#include "sched/scheduler.h"

namespace fairfs::engine {

/// A node between the root and the leaves.
struct Group {
  GroupStep step;
  sched::NodeId node{};
  Group* parent = nullptr;  ///< null directly under the root
  sched::Weight weight = sched::kWeightDefault;
  bool overridden = false;  ///< by a rule made while running
  std::size_t children = 0;
  std::int32_t place = -1;          ///< scratch of read_groups: in the last reading
  bool active = false;              ///< scratch of shares_among
  std::uint64_t active_weight = 0;  ///< scratch of shares_among: of the active children
};

/// Not thread-safe: lives under the engine's mutex, with the scheduler. Reads no file: weights are found outside.
class FlowMap {
 public:
  /// Longest that a flow stays without a request, so that a viewer sees it a while.
  static constexpr sched::Duration kIdleMax = std::chrono::seconds{10};
  /// More flows than this are a storm of short-lived callers: idle ones then go after `kIdleMaxCrowded`.
  static constexpr std::size_t kCrowd = 10'000;
  static constexpr sched::Duration kIdleMaxCrowded = std::chrono::seconds{1};

  explicit FlowMap(sched::Scheduler& scheduler) : scheduler_(scheduler) {}

  /// The flow of `placement`, made with its groups if it is new; `group_weights` goes with `placement.groups`. A known
  /// flow takes over name, weight and process, which an exec may have changed. Throws std::bad_alloc; nothing
  /// is half added then.
  std::shared_ptr<Flow> find_or_add(const Placement& placement, const std::vector<sched::Weight>& group_weights,
                                    sched::Weight weight, const Process& process, sched::Time now);
  /// Removes flows that were idle too long, and groups that are empty then.
  void expire(sched::Time now);

  void set_weight(const std::string& group_key, sched::Weight weight, bool overridden = false);
  void set_weight(Flow& flow, sched::Weight weight);
  void set_class(Flow& flow, sched::ServiceClass service);
  void set_limits(const std::string& group_key, const sched::Limits& limits, sched::Time now);
  void set_limits(Flow& flow, const sched::Limits& limits, sched::Time now);

  /// For look-ups. `debtors` from any thread: how many do.
  void set_owes(Flow& flow, bool owes) {
    if (flow.owes.exchange(owes) != owes) debtors_ += owes ? 1 : -1;
  }
  [[nodiscard]] int debtors() const { return debtors_.load(std::memory_order_relaxed); }

  /// Sets share_due of all flows, from the weights of those that were active since the last call.
  void share_out(sched::Time now);
  /// Each one's part of the disk if these and no others were busy.
  [[nodiscard]] std::vector<double> shares_among(std::span<Flow* const> active);

  [[nodiscard]] std::vector<std::shared_ptr<Flow>> flows() const;
  [[nodiscard]] std::vector<GroupStep> groups() const;
  /// Leaves in each Group its place in what is returned.
  [[nodiscard]] std::vector<GroupReading> read_groups() const;
  [[nodiscard]] std::size_t size() const { return flows_.size(); }
  [[nodiscard]] std::size_t group_count() const { return groups_.size(); }
  /// Charged to flows that are gone.
  [[nodiscard]] sched::Duration device_time_expired() const { return device_time_expired_; }

 private:
  std::shared_ptr<Flow> add(const Placement& placement, const std::vector<sched::Weight>& group_weights,
                            sched::Weight weight, const Process& process, sched::Time now);
  /// The group, made if it is new. On failure those above it that are empty then are left to the caller.
  Group* group(const GroupStep& step, Group* parent, sched::Weight weight, sched::Time now);
  void leave(Group* parent);
  /// Removes a group without children, and those above that have none then.
  void leave_empty(Group* group);

  sched::Scheduler& scheduler_;
  std::unordered_map<std::string, std::shared_ptr<Flow>> flows_;    // by leaf key
  std::unordered_map<std::string, std::unique_ptr<Group>> groups_;  // by group key
  std::uint64_t last_key_ = 0;
  std::atomic<int> debtors_{0};
  sched::Duration device_time_expired_{};
};

}  // namespace fairfs::engine
