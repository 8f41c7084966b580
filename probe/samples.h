// What the rounds measured: several samples of each quantity.
#pragma once

#include <map>
#include <utility>
#include <vector>

#include "probe/trial.h"

namespace fairfs::probe {

class Samples {
 public:
  void add(const Trial& trial, const TrialResult& result);

  /// Requests a second: the median of the rounds; 0 when it was not measured.
  [[nodiscard]] double rate(const Trial& trial) const;
  [[nodiscard]] bool has(const Trial& trial) const { return rates_.contains(trial); }
  /// Bytes a second.
  [[nodiscard]] double bandwidth(const Trial& trial) const { return rate(trial) * static_cast<double>(trial.bytes); }
  /// Time of one request: of the whole disk, so with n at once a n-th of what each waits.
  [[nodiscard]] double seconds(const Trial& trial) const { return rate(trial) > 0 ? 1 / rate(trial) : 0; }
  /// Half of the distance between the highest and the lowest round, over the median: 0.1 is "10 % up and down". Rounds
  /// of n < 100 requests are allowed to differ by sqrt(100 / n) as much: a spindle's few seeks do, by chance alone. 0
  /// of what was measured once or never.
  [[nodiscard]] double spread(const Trial& trial) const;
  /// The rounds of k streams side by side over the rounds of one alone: least and most of them.
  [[nodiscard]] std::pair<double, double> range_over(const Trial& streams, const Trial& alone) const;
  /// Least share of a trial's depth that was in flight by Little's law; 1 when nothing was measured. Only of trials
  /// with ten times as many ends as requests at once: what was cut off at both ends weighs too much in the others.
  [[nodiscard]] double load() const { return load_; }
  [[nodiscard]] const std::map<Trial, std::vector<double>>& rates() const { return rates_; }

 private:
  std::map<Trial, std::vector<double>> rates_;  // sorted
  std::map<Trial, std::uint32_t> fewest_;       // completions of a round
  double load_ = 1;
};

}  // namespace fairfs::probe
