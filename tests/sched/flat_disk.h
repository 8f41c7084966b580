// A disk whose requests all cost the same, so that tests can count on their fingers.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <variant>

#include "sched/scheduler.h"

namespace fairfs::test {

/// Each read or write costs exactly `cost` (no bytes are asked for in these tests), a flush too.
inline sched::SchedulerConfig flat_disk(sched::Duration cost, std::uint32_t depth) {
  sched::SchedulerConfig config;
  config.profile.depth = depth;
  config.profile.parallelism = 1;
  config.profile.read = config.profile.write = {cost, cost, 1'000'000'000};
  config.profile.sync = cost;
  return config;
}

/// A scheduler of depth 1 and 1 ms requests, and a clock. Requests carry the flow as cookie.
class FlatDisk {
 public:
  explicit FlatDisk(const sched::SchedulerConfig& config = flat_disk(std::chrono::milliseconds{1}, 1))
      : scheduler(config) {}

  sched::RequestId submit(sched::NodeId flow, bool bounded_wait = false) {
    return scheduler.submit({.flow = flow,
                             .operation = sched::Operation::read,
                             .bounded_wait = bounded_wait,
                             .cookie = static_cast<std::uint64_t>(flow)},
                            now);
  }
  void submit(sched::NodeId flow, int times) {
    while (times-- > 0) submit(flow);
  }
  /// Dispatches one request and completes it 1 ms later. The flow it was of.
  sched::NodeId serve() {
    last = std::get<sched::Dispatch>(scheduler.next(now));
    now += std::chrono::milliseconds{1};
    scheduler.complete(last.id, now);
    return sched::NodeId{static_cast<std::uint32_t>(last.cookie)};
  }
  /// How many of the next `turns` go to `flow`, when those that are served ask again.
  int turns_of(sched::NodeId flow, int turns) {
    int own = 0;
    while (turns-- > 0) {
      const sched::NodeId served = serve();
      submit(served);
      own += served == flow ? 1 : 0;
    }
    return own;
  }

  sched::Scheduler scheduler;
  sched::Time now{};
  sched::Dispatch last{};
};

}  // namespace fairfs::test
