#include "sched/guests.h"

#include <algorithm>

namespace fairfs::sched {
namespace {

/// Between two looks at what hosts take alone.
constexpr Duration kReview = std::chrono::seconds{1};

}  // namespace

void Guests::host_met(Duration service, Duration alone, Time now) {
  service_ += service;
  alone_ += alone;
  if (++samples_ < kGuestsSamples) return;
  if (service_ * 100 > alone_ * (100 + kGuestsSlowPercent)) {
    limit_ /= 2;
    resumed_ = now + pause_;
    pause_ = std::min(2 * pause_, kGuestsPauseMax);
  } else if (full_ && now >= resumed_) {
    ++limit_;
    pause_ = std::max(pause_ / 2, kGuestsPauseMin);
  }
  full_ = false;
  samples_ = 0;
  service_ = alone_ = {};
  if (now - reviewed_ >= kReview) {
    reviewed_ = now;
    reviewing_ = kGuestsSamples;
  }
}

void Guests::host_alone(bool known, Time now) {
  if (reviewing_ != 0) --reviewing_;
  if (limit_ != 0 || !known || now < resumed_) return;
  limit_ = 1;
  reviewed_ = now;
}

}  // namespace fairfs::sched
