#include "sched/latency_guard.h"

#include <algorithm>

namespace fairfs::sched {
namespace {

/// Enough to tell 5 of 100 from 2 of 100 more often than not, few enough to act within seconds at 20 requests a second.
constexpr std::uint32_t kSamples = 64;
/// Good looks at least between two trials where trials fail: at 200 requests a second 20 s.
constexpr std::uint32_t kPatienceMax = 64;

}  // namespace

void LatencyGuard::ended(Duration took, bool full, Time now) {
  last_ = now;
  full_ = full_ || full;
  ++samples_;
  if (took > target_) ++over_;
  // No need to wait for the rest when the verdict is clear.
  if (over_ * 20 > kSamples) {
    // One more was one too many: the next trial comes later, so that trials don't make 5 of 100 themselves.
    if (raised_) patience_ = std::min(2 * patience_, kPatienceMax);
    allowed_ = raised_ ? allowed_ - 1 : std::max<std::uint32_t>(allowed_ / 2, 1);
    raised_ = false;
    good_ = 0;
  } else if (samples_ < kSamples) {
    return;
  } else {
    if (raised_) patience_ = std::max<std::uint32_t>(patience_ / 2, 1);
    raised_ = over_ * 50 < kSamples && full_ && allowed_ < depth_ && ++good_ >= patience_;
    if (raised_) {
      ++allowed_;
      good_ = 0;
    }
  }
  samples_ = over_ = 0;
  full_ = false;
}

}  // namespace fairfs::sched
