#include "probe/samples.h"

#include <algorithm>
#include <cmath>

namespace fairfs::probe {

void Samples::add(const Trial& trial, const TrialResult& result) {
  std::vector<double>& rates = rates_[trial];
  rates.insert(std::upper_bound(rates.begin(), rates.end(), result.rate()), result.rate());
  const auto fewest = fewest_.try_emplace(trial, result.completions).first;
  fewest->second = std::min(fewest->second, result.completions);
  // A flush's write before it keeps the disk busy too.
  if (trial.operation != Operation::sync && result.completions >= 10 * trial.depth) {
    load_ = std::min(load_, result.in_flight() / trial.depth);
  }
}

double Samples::rate(const Trial& trial) const {
  const auto found = rates_.find(trial);
  if (found == rates_.end()) return 0;
  const std::vector<double>& rates = found->second;
  const std::size_t middle = rates.size() / 2;
  return rates.size() % 2 == 1 ? rates[middle] : (rates[middle - 1] + rates[middle]) / 2;
}

std::pair<double, double> Samples::range_over(const Trial& streams, const Trial& alone) const {
  const auto found = rates_.find(streams);
  const double one = rate(alone);
  if (found == rates_.end() || one <= 0) return {0, 0};
  return {found->second.front() / one, found->second.back() / one};
}

double Samples::spread(const Trial& trial) const {
  const auto found = rates_.find(trial);
  if (found == rates_.end()) return 0;
  const std::vector<double>& rates = found->second;
  const double by_chance = std::sqrt(std::max(1.0, 100.0 / std::max(1U, fewest_.at(trial))));
  return (rates.back() - rates.front()) / 2 / std::max(rate(trial), 1e-9) / by_chance;
}

}  // namespace fairfs::probe
