// Is the disk still what its profile says?
#pragma once

#include <optional>

#include "sched/disk_profile.h"

namespace fairfs::cli {

/// Pure; not thread-safe. Counts only seconds in which slowness was seen (sched/cost_correction.h keeps the last one
/// while the disk rests) and the processors had something left: where they are full, answers wait for one, and the disk
/// looks slower than it is. Doubts begin when half a minute of such seconds is off by more than the profile's own error
/// in the mean, and end at half of that (by logarithms), or when nothing was seen for a minute.
class ProfileDoubt {
 public:
  /// `error` > 1: a profile's own. Off by less is no news.
  explicit ProfileDoubt(double error) : error_{error} {}

  /// Once a second, with the slowness of two readings a second apart.
  void add(double before, double after, double processor_use);
  /// How many times as long the disk takes, while it is doubted.
  [[nodiscard]] std::optional<double> factor() const;

 private:
  double error_;
  double mean_ = 0;            // of the logarithms
  int seen_ = 0, unseen_ = 0;  // s
  bool doubted_ = false;
};

/// Of a profile: what its confidence says.
[[nodiscard]] double error_of(sched::Confidence confidence);

}  // namespace fairfs::cli
