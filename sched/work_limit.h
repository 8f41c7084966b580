// How much the disk holds at once, in device time: a few large requests keep it as busy as many small ones.
#pragma once

#include <cstdint>

#include "sched/cost.h"
#include "sched/types.h"

namespace fairfs::sched {

/// `depth` slots filled with small requests hold `depth` x their cost of work, and the probe found that this keeps the
/// disk busy. Slots filled with requests of 256 KiB would hold sixty times that, and whoever comes with a small one
/// waits for all of it: a flow of small requests would lose its share for want of slots. So more than twice the work
/// that `depth` small ones make is not started, though always kAlways requests.
class WorkLimit {
 public:
  /// Beyond the one that is served: one that waits in the disk, and one on its way there and back.
  static constexpr std::uint32_t kAlways = 3;

  WorkLimit(bool on, const DiskProfile& profile) : on_(on), model_(profile) {
    constexpr std::uint64_t kSmall = 4096;
    limit_ = 2 * profile.depth * model_.cost(Operation::read, kSmall, false);
  }

  [[nodiscard]] bool full(std::uint32_t in_flight) const { return on_ && in_flight >= kAlways && work_ >= limit_; }
  void started(Operation operation, std::uint64_t bytes) { work_ += work(operation, bytes); }
  void ended(Operation operation, std::uint64_t bytes) { work_ -= work(operation, bytes); }

 private:
  [[nodiscard]] std::uint64_t work(Operation operation, std::uint64_t bytes) const {
    return operation == Operation::sync ? 0 : model_.cost(operation, bytes, false);
  }

  bool on_;
  CostModel model_;  // the profile's own, so that what ends is what was started
  std::uint64_t limit_ = 0, work_ = 0;
};

}  // namespace fairfs::sched
