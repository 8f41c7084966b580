// What the disk may hold of buffered writes, so that a flush finds little before it.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Two rules for buffered writes (Request::buffered). Not more of them are in the disk than the window says. And while
/// a flush is in the disk none is added: it would stand between the flush's own steps. The flush is charged what it
/// takes, so its flow pays for that time, and a loop of flushes gets its share and no more.
///
/// A buffered write that is next and may not start yet keeps its place: others wait with it, since passing it by would
/// cost its flow the share. The disk is busy meanwhile, with the window's worth of writes or with the flush.
class WriteGate {
 public:
  /// Longest that one flush keeps writes back: several seeks and rotations of the slowest disk. A flush that takes
  /// longer waits for something else than the disk's arm.
  static constexpr Duration kHoldMax = std::chrono::milliseconds{50};
  /// What one flush is charged at most: a disk that hangs isn't its caller's fault.
  static constexpr Duration kSyncCostMax = std::chrono::milliseconds{100};

  explicit WriteGate(Duration sync_cost) : sync_cost_(sync_cost) {}

  void set_window(std::uint64_t bytes) { window_ = bytes; }

  [[nodiscard]] bool blocks(std::uint64_t bytes, Time now) const {
    return (writing_ != 0 && writing_ + bytes > window_) || (syncs_ != 0 && now < sync_since_ + kHoldMax);
  }
  /// When time alone may change `blocks`.
  [[nodiscard]] Time blocked_until(Time now) const {
    const Time end = syncs_ != 0 ? sync_since_ + kHoldMax : now;
    return end > now ? end : kNever;
  }

  /// A flush that has just come may go down with those in the disk: one journal commit for all.
  [[nodiscard]] bool joinable(Time now) const { return syncs_ != 0 && now < sync_since_ + kHoldMax; }

  void write_started(std::uint64_t bytes) { writing_ += bytes; }
  void write_ended(std::uint64_t bytes, Time now) {
    writing_ -= bytes;
    // What a flush found in the disk is its writer's cost, not the flush's.
    if (writing_ == 0 && syncs_ != 0 && ended_ == 0 && now < sync_since_ + kHoldMax) counted_from_ = now;
  }

  void sync_started(Time now) {
    if (syncs_++ == 0) sync_since_ = counted_from_ = now;
  }
  void sync_ended(Time now) {
    ++ended_;
    // Flushes that go down together share one journal commit: the time divided by how many there were is the cost.
    if (--syncs_ != 0 && ended_ < kGroup) return;
    const Duration each = (now - counted_from_) / ended_;
    sync_cost_ = std::min(sync_cost_ + (each - sync_cost_) / 4, kSyncCostMax);  // a moving mean over about four
    counted_from_ = now;
    ended_ = 0;
  }
  /// Device time of one flush, as seen lately.
  [[nodiscard]] Duration sync_cost() const { return sync_cost_; }

 private:
  static constexpr std::uint32_t kGroup = 16;  // flushes without a pause after which the mean is taken

  std::uint64_t window_ = ~std::uint64_t{0}, writing_ = 0;
  std::uint32_t syncs_ = 0, ended_ = 0;
  Time sync_since_{}, counted_from_{};
  Duration sync_cost_;
};

}  // namespace fairfs::sched
