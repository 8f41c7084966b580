// A moving mean of durations.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Over about sixteen samples; worth something after eight.
class MeanTime {
 public:
  void add(Duration sample) {
    if (samples_ < kOver) ++samples_;
    mean_ += (sample - mean_) / static_cast<Duration::rep>(samples_);
  }
  [[nodiscard]] bool known() const { return samples_ >= kOver / 2; }
  [[nodiscard]] Duration mean() const { return mean_; }

 private:
  static constexpr std::uint32_t kOver = 16;
  Duration mean_{};
  std::uint32_t samples_ = 0;
};

}  // namespace fairfs::sched
