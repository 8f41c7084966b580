// What a disk that must not interleave streams may interleave all the same.
#pragma once

#include "sched/constants.h"
#include "sched/cost.h"
#include "sched/types.h"

namespace fairfs::sched {

class Interleaving {
 public:
  explicit Interleaving(const DiskProfile& profile)
      : writes_are_cached_(cost(profile, Operation::read) >= kCachedWriteGain * cost(profile, Operation::write)),
        heads_(profile.parallelism < kHeadsApart ? 1 : static_cast<std::uint32_t>(profile.parallelism)) {}

  /// Requests of this kind have turns. Not writes where a cache takes them: it answers at once and sorts them itself,
  /// and holding back the others meanwhile is nothing but lost time.
  [[nodiscard]] bool takes_turns(Operation operation) const {
    return operation == Operation::read || (operation == Operation::write && !writes_are_cached_);
  }
  /// Random requests, of whomever, that a random reader of small depth finds in the disk at most when it returns and
  /// is due. One head does nothing else for its sake; of several it could use only one, and the others need not stand
  /// still for it.
  [[nodiscard]] std::uint32_t beside_seeky() const { return heads_ == 1 ? 0 : heads_; }

 private:
  [[nodiscard]] static std::uint64_t cost(const DiskProfile& profile, Operation operation) {
    constexpr std::uint64_t kSmall = 4096;
    return CostModel(profile).cost(operation, kSmall, false);
  }

  bool writes_are_cached_;
  std::uint32_t heads_;
};

}  // namespace fairfs::sched
