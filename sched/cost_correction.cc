#include "sched/cost_correction.h"

#include <algorithm>
#include <limits>

namespace fairfs::sched {
namespace {

/// Long enough for some ten seeks, short enough that a disk three times as slow is followed to a tenth within a second.
constexpr Duration kSample = std::chrono::milliseconds{100};
/// Ends that make a sample: chance moves 16 requests of a fifth up and down by a twentieth.
constexpr std::uint64_t kEndsMin = 16;
/// A moving mean over about four samples.
constexpr double kStep = 0.25;
/// The knee is the depth that reaches nine tenths, and parallelism is measured beyond it: with 8 channels, 8 and 8.1.
constexpr double kKnee = 0.9;
/// A queue that gains less than this only sorts: one request keeps that disk busy.
constexpr double kSerial = 1.5;

}  // namespace

CostCorrection::CostCorrection(const DiskProfile& profile) : parallelism_(profile.parallelism) {
  set_depth(profile.depth);
}

void CostCorrection::set_depth(std::uint32_t depth) {
  if (parallelism_ < kSerial) {
    enough_ = 1;
  } else {
    // Fewer slots than it serves at once never make it busy.
    enough_ = depth >= kKnee * parallelism_ ? depth : std::numeric_limits<std::uint32_t>::max();
  }
}

// What ends together, at the end of a busy time, ended in it.
void CostCorrection::pass(Time now) {
  if (now == since_) return;
  was_busy_ = busy();
  if (was_busy_) busy_ += now - since_;
  since_ = now;
}

void CostCorrection::started(Operation operation, Time now) {
  pass(now);
  ++in_disk_;
  if (operation == Operation::sync) ++syncs_;
}

bool CostCorrection::ended(Operation operation, std::uint64_t predicted, Time now) {
  pass(now);
  --in_disk_;
  if (operation == Operation::sync) {
    --syncs_;
    interrupted_ = true;
    return false;
  }
  if (syncs_ == 0) interrupted_ = false;
  if (!was_busy_) return false;
  predicted_ += predicted;
  ++ended_;
  if (busy_ < kSample || ended_ < kEndsMin) return false;
  const double seen = static_cast<double>(busy_.count()) / static_cast<double>(predicted_);
  slowness_ += (std::clamp(seen, kSlownessMin, kSlownessMax) - slowness_) * kStep;
  busy_ = {};
  predicted_ = ended_ = 0;
  return true;
}

}  // namespace fairfs::sched
