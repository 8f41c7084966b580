// The probe's plan: which trial is next, when it is enough, and what it all says of the disk.
#pragma once

#include <deque>
#include <optional>
#include <string>

#include "probe/ladder.h"
#include "probe/samples.h"
#include "probe/trial.h"
#include "sched/disk_profile.h"

namespace fairfs::probe {

struct EstimatorConfig {
  bool reads = true, writes = true;  ///< what the disk lets us do
  /// Time for all trials on a disk of more than Ladder::kSlowRate random reads a second, and on a slower one. A mount
  /// may take 6 and 12 s; filling the probe's file comes before, and the trial that is running is finished.
  Duration budget_fast = std::chrono::milliseconds{4500};
  Duration budget_slow = std::chrono::milliseconds{10000};
  /// The last verdict on this disk: it stays while the interleaving is between the two limits.
  bool idle_before = false;
};

/// Pure: knows no disk, clock or file; the same results give the same plan. Call `next`, then `record` with what came
/// of it, until `next` answers nothing.
///
/// Round 1 climbs through the depths of 4 KiB random reads and fixes the knee; then come streams side by side, single
/// streams by size, large requests, writes, flushes. Rounds 2 and 3 repeat what the verdict stands on.
class Estimator {
 public:
  struct Step {
    Trial trial;
    TrialLimits limits;
  };

  explicit Estimator(const EstimatorConfig& config) : config_(config) {}

  [[nodiscard]] std::optional<Step> next();
  void record(const TrialResult& result);

  /// Part of the budget that is used, 0..1.
  [[nodiscard]] double progress() const;
  /// What is known now. Fields that were not measured keep their defaults; `reason` says what and why not.
  [[nodiscard]] sched::DiskProfile profile() const;
  [[nodiscard]] const Samples& samples() const { return samples_; }

  static constexpr unsigned kRounds = 3;

 private:
  void plan_round();
  void plan_reads();
  void plan_writes();
  [[nodiscard]] TrialLimits limits(const Trial& trial) const;
  [[nodiscard]] Duration budget() const { return slow_ ? config_.budget_slow : config_.budget_fast; }

  const EstimatorConfig config_;
  Ladder ladder_;
  Samples samples_;
  std::deque<Trial> plan_;  // the first is what `next` named
  unsigned round_ = 0;      // rounds begun
  bool slow_ = false;
  Duration spent_{};
  std::string trouble_;  // why it stopped early; nothing is believed then
  std::string writes_trouble_;
  bool time_up_ = false;
};

}  // namespace fairfs::probe
