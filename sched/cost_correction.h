// How much slower the disk is than its profile says: the costs' common factor, followed while it works.
#pragma once

#include <cstdint>

#include "sched/disk_profile.h"
#include "sched/types.h"

namespace fairfs::sched {

/// Costs are the whole disk's time, so a busy disk ends requests worth one second each second. Slowness is the time it
/// was busy over what the requests that ended meanwhile were worth, moved a quarter of the way for each sample of
/// 100 ms. As blk-iocost's vrate one factor for all: it doesn't change who is next, but turns, rounds and classes
/// count in real time, and people see that the disk is not what it was.
///
/// Busy: all slots are taken, or, where one request is all it serves at once, any. With fewer in the disk it depends on
/// the requests how fast it goes. Flushes and buffered writes aren't counted: write_gate.h follows what they cost. Nor
/// is the first request after them, as there: it is late for the head's coming back, which is charged to nobody.
class CostCorrection {
 public:
  /// Beyond these the profile is another disk's and no factor makes it true. A disk that hangs doesn't count for more.
  static constexpr double kSlownessMin = 1.0 / 16, kSlownessMax = 16;

  explicit CostCorrection(const DiskProfile& profile);
  void set_depth(std::uint32_t depth);

  /// A buffered write counts as a flush.
  void started(Operation operation, Time now);
  /// `predicted` ns: the profile's cost, without correction. True when the slowness has moved.
  bool ended(Operation operation, std::uint64_t predicted, Time now);

  /// kSlownessMin..kSlownessMax: 2 takes twice as long as the profile says. 1 until there was a sample.
  [[nodiscard]] double slowness() const { return slowness_; }

 private:
  [[nodiscard]] bool busy() const { return syncs_ == 0 && !interrupted_ && in_disk_ >= enough_; }
  void pass(Time now);

  const double parallelism_;
  std::uint32_t enough_ = 0;  // in the disk to call it busy
  std::uint32_t in_disk_ = 0, syncs_ = 0;
  Time since_{};
  bool was_busy_ = false;  // until `since_`
  bool interrupted_ = false;
  Duration busy_{};        // of this sample
  std::uint64_t predicted_ = 0, ended_ = 0;
  double slowness_ = 1;
};

}  // namespace fairfs::sched
