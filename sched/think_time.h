// How long a flow takes from the end of its last request to the next one.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sched/constants.h"

namespace fairfs::sched {

/// CFQ's and BFQ's estimate: mean = (t + 128) / s with s <- (7 s + 256) / 8, t <- (7 t + 256 x) / 8 for each sample x,
/// valid once s > 80. A sample is cut at twice the longest wait, so that one long pause does not hide many short ones.
class ThinkTime {
 public:
  void add(Duration sample) {
    const auto x = static_cast<std::uint64_t>(std::clamp(sample, Duration::zero(), 2 * kAnticipationMax).count());
    samples_ = (7 * samples_ + 256) / 8;
    total_ = (7 * total_ + 256 * x) / 8;
  }
  /// Three samples are enough.
  [[nodiscard]] bool known() const { return samples_ > 80; }
  [[nodiscard]] Duration mean() const {
    return Duration{static_cast<Duration::rep>(samples_ == 0 ? 0 : (total_ + 128) / samples_)};
  }

 private:
  std::uint32_t samples_ = 0;
  std::uint64_t total_ = 0;  // ns * 256
};

}  // namespace fairfs::sched
