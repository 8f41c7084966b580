#include "sched/cost.h"

#include <algorithm>

#include "sched/virtual_time.h"

namespace fairfs::sched {
namespace {

constexpr std::uint64_t kNanosecondsPerSecond = 1'000'000'000;
/// Longest request that is told from a longer one: its product with 1e9 fits 64 bits. 4 GiB, far above a FUSE request's
/// 1 MiB.
constexpr std::uint64_t kBytesMax = std::uint64_t{1} << 32;

}  // namespace

bool StreamPositions::continues(std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t window = std::max(bytes, kWindowBytes);
  return std::any_of(positions_.begin(), positions_.end(), [&](const Position& position) {
    return position.inode == inode && offset >= position.end && offset - position.end <= window;
  });
}

std::uint64_t StreamPositions::distance(std::uint64_t inode, std::uint64_t offset) const {
  std::uint64_t least = kFar;
  for (const Position& position : positions_) {
    if (position.inode != inode || position.end == kNowhere) continue;
    least = std::min(least, offset > position.end ? offset - position.end : position.end - offset);
  }
  return least;
}

void StreamPositions::note(std::uint64_t inode, std::uint64_t end) {
  for (Position& position : positions_) {
    if (position.inode != inode || position.end == kNowhere) continue;
    position.end = end;
    return;
  }
  positions_[oldest_] = {inode, end};
  oldest_ = (oldest_ + 1) % kFiles;
}

void CostModel::set_slowness(double factor) {
  slowness_fixed_ = static_cast<std::uint64_t>(factor * static_cast<double>(kFixedPoint));
  ++revision_;
}

std::uint64_t CostModel::cost(Operation operation, std::uint64_t bytes, bool sequential) const {
  const std::uint64_t time = predicted(operation, bytes, sequential);
  if (operation == Operation::sync) return time;
  return std::clamp<std::uint64_t>(time * slowness_fixed_ / kFixedPoint, 1, kCostMax);
}

std::uint64_t CostModel::predicted(Operation operation, std::uint64_t bytes, bool sequential) const {
  if (operation != Operation::sync) {
    return linear(operation == Operation::read ? profile_.read : profile_.write, bytes, sequential);
  }
  return std::clamp<std::uint64_t>(static_cast<std::uint64_t>(profile_.sync.count()), 1, kCostMax);
}

std::uint64_t CostModel::write_behind(std::uint64_t bytes, bool sequential) const {
  return linear(write_behind_, bytes, sequential);
}

std::uint64_t CostModel::linear(const CostCoefficients& kind, std::uint64_t bytes, bool sequential) {
  const Duration base = sequential ? kind.base_sequential : kind.base_random;
  const bool own_rate = !sequential && kind.random_bytes_per_s != 0;
  const std::uint64_t bytes_per_s = own_rate ? kind.random_bytes_per_s : kind.bytes_per_s;
  const std::uint64_t transfer = std::min(bytes, kBytesMax) * kNanosecondsPerSecond / bytes_per_s;
  const std::uint64_t time =
      std::max(static_cast<std::uint64_t>(kind.least.count()), static_cast<std::uint64_t>(base.count()) + transfer);
  return std::clamp<std::uint64_t>(time, 1, kCostMax);
}

}  // namespace fairfs::sched
