#include "probe/estimator.h"

#include <algorithm>
#include <cstring>

#include "probe/verdict.h"

namespace fairfs::probe {
namespace {

using namespace std::chrono_literals;

std::string trouble_with(const TrialResult& result) {
  if (result.error != 0) return std::string{"a request of the probe failed: "} + std::strerror(result.error);
  if (!result.from_device) return "data does not come from the device: memory, holes or compressed data answer";
  if (result.completions == 0) return "the disk answered too few requests to measure it";
  return {};
}

}  // namespace

std::optional<Estimator::Step> Estimator::next() {
  if (!trouble_.empty()) return std::nullopt;
  if (plan_.empty()) {
    if (config_.reads && round_ == 0) {
      if (const auto depth = ladder_.next()) plan_.push_back(random_trial(Operation::read, *depth));
    }
    if (plan_.empty() && round_ < kRounds) plan_round();
  }
  if (plan_.empty()) return std::nullopt;
  if (spent_ >= budget()) {
    time_up_ = true;
    return std::nullopt;
  }
  return Step{plan_.front(), limits(plan_.front())};
}

void Estimator::plan_round() {
  ++round_;
  if (config_.reads) plan_reads();
  if (config_.writes && writes_trouble_.empty()) plan_writes();
}

void Estimator::plan_reads() {
  const auto add = [this](const Trial& trial) { plan_.push_back(trial); };
  if (round_ > 1) {
    add(random_trial(Operation::read, 1));
    add(random_trial(Operation::read, 2));
    if (ladder_.knee() > 2) add(random_trial(Operation::read, ladder_.knee()));
    if (ladder_.best() > 2 && ladder_.best() != ladder_.knee()) add(random_trial(Operation::read, ladder_.best()));
  }
  for (const std::uint32_t streams : {1U, 2U, 4U}) add(streams_trial(streams));
  if (round_ < kRounds || !slow_) add(streams_trial(8));
  add(bandwidth_trial(Operation::read));
  if (round_ < kRounds || !slow_) add(large_random_trial(Operation::read));
  if (round_ != 1) return;
  for (const std::uint64_t bytes : {64UL * 1024, 256UL * 1024, 512UL * 1024, kLarge}) add(size_trial(bytes));
}

void Estimator::plan_writes() {
  const std::uint32_t depth = ladder_.knee();
  plan_.push_back(random_trial(Operation::write, depth));
  if (round_ < kRounds || !slow_) plan_.push_back(large_random_trial(Operation::write));
  plan_.push_back(bandwidth_trial(Operation::write));
  plan_.push_back(sync_trial());
}

/// 120 requests, which puts the mean of a fifth up and down within 1 %, or as many as a slow disk gives in the time
/// there is: its three rounds are some 100 seeks at each depth, which puts the median within 5 %.
TrialLimits Estimator::limits(const Trial& trial) const {
  if (!slow_) return {120, 60ms, 200ms};
  // A stripe's bandwidth varies with how its disks happen to meet.
  if (trial.bytes == kLarge && trial.depth > 1) return {120, 60ms, 250ms};
  return trial.streams == 0 ? TrialLimits{120, 60ms, 220ms} : TrialLimits{100, 60ms, 150ms};
}

void Estimator::record(const TrialResult& result) {
  const Trial trial = plan_.front();
  plan_.pop_front();
  spent_ += result.took;
  if (const std::string trouble = trouble_with(result); !trouble.empty()) {
    if (trial.operation == Operation::read) {
      trouble_ = trouble;
    } else {  // reads are none the worse for it
      writes_trouble_ = trouble;
      std::erase_if(plan_, [](const Trial& planned) { return planned.operation != Operation::read; });
    }
    return;
  }
  samples_.add(trial, result);
  if (trial == random_trial(Operation::read, 1)) slow_ = result.rate() < Ladder::kSlowRate;
  if (round_ == 0 && trial == random_trial(Operation::read, trial.depth)) ladder_.record(trial.depth, result.rate());
}

double Estimator::progress() const {
  return std::min(1.0, static_cast<double>(spent_.count()) / static_cast<double>(budget().count()));
}

sched::DiskProfile Estimator::profile() const {
  sched::DiskProfile profile;
  if (!trouble_.empty()) {
    profile.reason = trouble_ + "; defaults are taken";
    return profile;
  }
  profile = judge(samples_, ladder_.knee(), config_.idle_before);
  if (!profile.measured.reads) {
    profile.reason = "there was no time to measure reads; defaults are taken";
  } else if (time_up_ && round_ < kRounds) {
    profile.confidence = sched::Confidence::low;
    profile.reason += "; time was up before all rounds were done";
  }
  if (!writes_trouble_.empty()) profile.reason += "; writes not measured: " + writes_trouble_;
  return profile;
}

}  // namespace fairfs::probe
