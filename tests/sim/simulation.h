// A scheduler, a disk and programs on one simulated clock. The same seed gives the same run.
#pragma once

#include <cstdint>
#include <memory>
#include <queue>
#include <string>
#include <vector>

#include "sched/cost.h"
#include "sched/scheduler.h"
#include "tests/sim/device.h"
#include "tests/sim/oracle.h"
#include "tests/sim/seed.h"
#include "tests/sim/workload.h"

namespace fairfs::test {

class Simulation {
 public:
  /// The books of one node, kept apart from the scheduler's.
  struct NodeBooks {
    sched::NodeId parent{};
    sched::Weight weight = 0;
    std::vector<sched::NodeId> children;
    sched::Duration received{};  ///< charged to it and to everything below
    sched::Duration cost_max{};  ///< of the largest request it asked for, by the cost model
    sched::Duration waited_max{};
    std::uint32_t queued = 0, dispatched = 0, completed = 0;
    std::uint64_t bytes = 0;  ///< completed
  };

  Simulation(const sched::SchedulerConfig& config, const DeviceModel& device, Seed seed);
  Simulation(const sched::SchedulerConfig& config, std::unique_ptr<DiskModel> disk, Seed seed);

  sched::NodeId add_group(sched::NodeId parent, sched::Weight weight);
  sched::NodeId add_flow(sched::NodeId parent, sched::Weight weight, const Workload& workload);
  void set_weight(sched::NodeId node, sched::Weight weight);
  void watch(Oracle& oracle) { oracles_.push_back(&oracle); }
  void run_for(sched::Duration time);

  [[nodiscard]] const NodeBooks& books(sched::NodeId node) const { return nodes_[static_cast<std::uint32_t>(node)]; }
  [[nodiscard]] std::uint32_t node_count() const { return static_cast<std::uint32_t>(nodes_.size()); }
  [[nodiscard]] sched::Duration received(sched::NodeId node) const { return books(node).received; }
  [[nodiscard]] std::uint64_t bytes(sched::NodeId node) const { return books(node).bytes; }
  [[nodiscard]] std::uint32_t depth() const { return config_.profile.depth; }
  /// Whether the scheduler may let the disk stand still with something queued.
  [[nodiscard]] bool may_hold() const { return config_.profile.idle; }
  [[nodiscard]] DiskModel& disk() { return *disk_; }
  /// Time that the medium worked for the flow, where the model accounts it.
  [[nodiscard]] sched::Duration worked(sched::NodeId flow) const;
  [[nodiscard]] sched::Time now() const { return now_; }
  [[nodiscard]] sched::Scheduler& scheduler() { return scheduler_; }

 private:
  struct Program {
    sched::NodeId node{};
    Workload workload;
    std::vector<std::uint64_t> offsets;  ///< of each file, where it goes on
    std::vector<std::uint64_t> inodes;
    std::uint32_t next_file = 0;
    std::uint64_t asked = 0;       ///< bytes
    std::uint32_t remembered = 0;  ///< look-ups that memory answers yet
    bool delayed = false;          ///< for what it owes, before its next look-up
  };
  struct Event {
    enum class Kind : std::uint8_t { submit, wake };
    sched::Time at{};
    std::uint64_t order = 0;
    Kind kind{};
    std::uint32_t program = 0;
    bool operator>(const Event& other) const { return at != other.at ? at > other.at : order > other.order; }
  };

  NodeBooks& add(sched::NodeId node, sched::NodeId parent, sched::Weight weight);
  void schedule(Event event);
  void submit(std::uint32_t program);
  void look_up(std::uint32_t program);
  void submit_after(std::uint32_t program, sched::Duration time);
  void complete(std::uint64_t cookie);
  void pump();
  void started(const sched::Dispatch& dispatch);
  [[nodiscard]] static std::uint64_t place(const Workload& workload, std::uint64_t offset);
  [[nodiscard]] sched::Time next_submit(const Workload& workload) const;

  sched::SchedulerConfig config_;
  sched::Scheduler scheduler_;
  sched::CostModel model_;
  std::unique_ptr<DiskModel> disk_;
  Random random_;
  sched::Time now_{};
  std::vector<NodeBooks> nodes_;
  std::vector<Program> programs_;
  struct Asked {
    std::uint32_t program = 0;
    Access access;
    sched::RequestId request{};
    sched::Time since{};
  };
  std::vector<Asked> asked_;  // by cookie
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t order_ = 0;
  std::uint64_t inodes_ = 0;
  std::vector<std::uint64_t> ended_;  // scratch
  std::vector<Oracle*> oracles_;
};

/// Everything the oracles object to.
std::vector<std::string> failures(const Simulation& simulation, const std::vector<const Oracle*>& oracles);

}  // namespace fairfs::test
