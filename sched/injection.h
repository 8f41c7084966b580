// Whether others' requests may fill the time for which the disk is held for a flow that thinks.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "sched/constants.h"
#include "sched/mean_time.h"
#include "sched/types.h"

namespace fairfs::sched {

/// One flow's. Its requests that find the disk as empty as it was held are the baseline; those after a hold in which
/// another's request was injected are compared with it, eight at a time: above 1.5 times the baseline nothing is
/// injected for 50 ms, 100 ms ... 2 s. Every eight such verdicts there is no injection for eight requests, so that the
/// baseline is of today. (BFQ's injection limit; there it is one request that decides.)
class Injection {
 public:
  /// Something of another was started while the disk was held for the flow.
  void injected() { met_ = true; }
  /// The flow's next request starts; whether something was injected before it.
  bool started() { return std::exchange(met_, false); }
  /// That request has ended, and nobody else's was beside it.
  void ended(Duration service, bool met, Time now) {
    if (!met) {
      baseline_.add(service);
      if (reviewing_ != 0) --reviewing_;
      return;
    }
    service_ += service;
    if (++samples_ < kInjectionSamples) return;
    const bool slow = service_ * 100 > kInjectionSamples * kInjectionSlowPercent * baseline_.mean();
    if (slow) resumed_ = now + pause_;
    pause_ = slow ? std::min(2 * pause_, kGuestsPauseMax) : std::max(pause_ / 2, kGuestsPauseMin);
    if (++verdicts_ % kInjectionSamples == 0) reviewing_ = kInjectionSamples;
    samples_ = 0;
    service_ = {};
  }
  /// Another's request may start that is expected to make the flow's next one wait for `longer`.
  [[nodiscard]] bool admits(Duration longer, Time now) const {
    return baseline_.known() && reviewing_ == 0 && now >= resumed_ &&
           (baseline_.mean() + longer) * 100 <= kInjectionSlowPercent * baseline_.mean();
  }
  [[nodiscard]] Duration baseline() const { return baseline_.mean(); }

 private:
  MeanTime baseline_;
  bool met_ = false;
  std::uint32_t samples_ = 0, verdicts_ = 0, reviewing_ = 0;
  Duration service_{}, pause_ = kGuestsPauseMin;
  Time resumed_{};
};

}  // namespace fairfs::sched
