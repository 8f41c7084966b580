// Keeps one trial's requests in flight and counts what comes back.
#pragma once

#include <cstdint>
#include <random>
#include <vector>

#include "probe/disk.h"
#include "probe/trial.h"

namespace fairfs::probe {

/// One trial on one disk; the disk is idle before and after. `seed` decides where the requests lie.
class Load {
 public:
  Load(Disk& disk, const Trial& trial, std::uint64_t seed);

  /// A failed request ends the trial. Trials of sync take `limits.completions / 10` flushes.
  [[nodiscard]] TrialResult run(const TrialLimits& limits);

 private:
  [[nodiscard]] std::uint64_t below(std::uint64_t limit) { return random_() % limit; }
  [[nodiscard]] Transfer transfer(std::uint32_t slot);
  /// Starts one transfer for each slot that is in `ended_`.
  void start_ended();
  void keep_going(const TrialLimits& limits, TrialResult& result);
  void flush_often(const TrialLimits& limits, TrialResult& result);
  /// Starts one transfer and waits for it. Its time; its error goes to `result`.
  Duration once(Operation operation, TrialResult& result);

  Disk& disk_;
  const Trial trial_;
  std::mt19937_64 random_;
  std::vector<std::uint64_t> positions_;  // of each stream, where it goes on
  std::vector<Ended> ended_;
  std::vector<Transfer> transfers_;
  bool wrapped_ = false;  // a stream came to the end of the span and went on at its start: a seek that is not its own
  std::uint32_t in_flight_ = 0;
  std::uint64_t asked_ = 0;  // bytes
};

}  // namespace fairfs::probe
