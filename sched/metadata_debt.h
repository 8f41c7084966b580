// What a flow owes for look-ups, which go to the disk unasked.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/constants.h"
#include "sched/tree.h"

namespace fairfs::sched {

/// Device time, charged afterwards. It is paid in two ways: with the flow's data requests, and by time during which the
/// flow leaves the disk to others: of each ns `share` is its own, and what it doesn't use of that makes others whole at
/// the rate share / (1 - share). (iocost's debt and delay; there the rate is the same.)
class MetadataDebt {
 public:
  [[nodiscard]] bool owes() const { return owed_ != 0; }
  [[nodiscard]] std::uint64_t owed() const { return owed_; }

  /// Nothing of what passed before `now` pays any more.
  void restart(Time now) { since_ = now; }
  /// `share`, of Tree::kShareOne: its part beside those who want the disk; all of it when nobody does.
  void charge(Duration device_time, std::uint64_t share, Time now) {
    restart(now);
    if (share >= Tree::kShareOne) return;
    const auto most = static_cast<std::uint64_t>(Duration(kMetadataDebtMax).count());
    owed_ = std::min(owed_ + static_cast<std::uint64_t>(device_time.count()), most);
  }
  /// Since `restart` or the last `pass` the flow has had nothing in the disk.
  void pass(std::uint64_t share, Time now) {
    const Duration time = std::clamp(now - since_, Duration::zero(), kLongPause);
    since_ = now;
    if (share >= Tree::kShareOne) {
      owed_ = 0;
    } else {
      pay(static_cast<std::uint64_t>(time.count()) * share / (Tree::kShareOne - share));
    }
  }
  void pay(std::uint64_t device_time) { owed_ -= std::min(owed_, device_time); }
  /// How long the flow has to leave the disk to others until it has paid; never more than kMetadataDelayMax.
  [[nodiscard]] Duration delay(std::uint64_t share) const {
    const std::uint64_t others = Tree::kShareOne - std::min(share, Tree::kShareOne);
    const std::uint64_t time = owed_ * others / std::max<std::uint64_t>(share, 1);
    return std::min(Duration{static_cast<Duration::rep>(time)}, Duration{kMetadataDelayMax});
  }

 private:
  static constexpr Duration kLongPause = std::chrono::minutes{10};  // pays any debt; its product fits 64 bits

  std::uint64_t owed_ = 0;  // ns
  Time since_{};
};

}  // namespace fairfs::sched
