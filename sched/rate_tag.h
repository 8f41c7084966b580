// When an amount will have been used at a given rate.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// mClock's R and L tags (Gulati, OSDI'10): each use moves the tag by amount / rate. A floor is due while its tag is in
/// the past, a ceiling allows the next use once its tag is.
class RateTag {
 public:
  /// `slack`: how far behind `now` the tag may stay; what was not used before that is gone.
  void use(std::uint64_t amount, std::uint64_t rate, Duration slack, Time now) {
    if (rate == 0) return;
    constexpr std::uint64_t kAmountMax = std::uint64_t{1} << 33;  // its product with 1e9 fits 64 bits
    const std::uint64_t time = std::min(amount, kAmountMax) * 1'000'000'000 / rate;
    at_ = std::max(at_, now - slack) + Duration{static_cast<Duration::rep>(time)};
  }
  /// No time before `now` counts.
  void begin(Time now) { at_ = std::max(at_, now); }
  [[nodiscard]] Time at() const { return at_; }

 private:
  Time at_{};
};

}  // namespace fairfs::sched
