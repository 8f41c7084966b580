#include "cli/profile_doubt.h"

#include <algorithm>
#include <cmath>

#include "cli/processor_verdict.h"

namespace fairfs::cli {
namespace {

constexpr int kSeenLeast_s = 30;  // a disk that is slow for a moment has cleaned up behind itself
constexpr int kUnseenMost_s = 60;

}  // namespace

void ProfileDoubt::add(double before, double after, double processor_use) {
  if (after == before || after <= 0 || processor_use >= kProcessorsFull) {
    if (++unseen_ >= kUnseenMost_s) *this = ProfileDoubt{error_};
    return;
  }
  unseen_ = 0;
  seen_ = std::min(seen_ + 1, kSeenLeast_s);
  mean_ += (std::log(after) - mean_) / seen_;
  const double off = std::abs(mean_), most = std::log(error_);
  doubted_ = seen_ >= kSeenLeast_s && off >= (doubted_ ? most / 2 : most);
}

std::optional<double> ProfileDoubt::factor() const { return doubted_ ? std::optional{std::exp(mean_)} : std::nullopt; }

double error_of(sched::Confidence confidence) {
  switch (confidence) {
    case sched::Confidence::high:
      return 1.25;  // rounds within 10 % of one another, and the model's own error
    case sched::Confidence::low:
      return 2;  // rounds that differed by up to as much as they are
    case sched::Confidence::none:
      return 4;  // a guess
  }
  return 4;
}

}  // namespace fairfs::cli
