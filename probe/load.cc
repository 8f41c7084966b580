#include "probe/load.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>

namespace fairfs::probe {
namespace {

using namespace std::chrono_literals;

/// A disk that answers nothing for this long is not measured but reported: the whole probe may take twice that.
constexpr Duration kPatience = 5s;
/// The steady state begins when each slot has ended once, or after this long: 128 requests of a spindle take a second.
constexpr Duration kWarmUp = 50ms;
/// Part of the asked bytes that must have moved on the device: the rest is what others' accounting rounds off.
constexpr double kDevicePart = 0.9;
/// Where the span is too small for the time of a trial, as many as this must do.
constexpr std::uint32_t kEndsBeforeWrap = 8;
/// Flushes are few and slow: one for this many requests of another trial.
constexpr std::uint32_t kRequestsPerFlush = 10;

}  // namespace

Load::Load(Disk& disk, const Trial& trial, std::uint64_t seed)
    : disk_(disk), trial_(trial), random_(seed) {
  const std::uint64_t blocks = disk.span(trial.operation) / trial.bytes;
  for (std::uint32_t stream = 0; stream < trial.streams; ++stream) {
    const std::uint64_t section = std::max<std::uint64_t>(1, blocks / trial.streams);
    // In the first quarter of its section: it should not come to the next one's start, or its own, before it ends.
    positions_.push_back((stream * section + below(section / 4 + 1)) % std::max<std::uint64_t>(1, blocks));
  }
}

TrialResult Load::run(const TrialLimits& limits) {
  TrialResult result;
  const Time began = disk_.now();
  const std::uint64_t device_began = disk_.device_bytes();
  trial_.operation == Operation::sync ? flush_often(limits, result) : keep_going(limits, result);
  result.took = disk_.now() - began;
  const auto moved = static_cast<double>(disk_.device_bytes() - device_began);
  result.from_device = moved >= static_cast<double>(asked_) * kDevicePart;
  return result;
}

Transfer Load::transfer(std::uint32_t slot) {
  const std::uint64_t blocks = std::max<std::uint64_t>(1, disk_.span(trial_.operation) / trial_.bytes);
  std::uint64_t block = 0;
  if (trial_.streams == 0) {
    block = below(blocks);
  } else {
    std::uint64_t& position = positions_[slot % trial_.streams];
    block = position;
    position = (position + 1) % blocks;
    wrapped_ = wrapped_ || position == 0;
  }
  return {slot, trial_.operation, block * trial_.bytes, trial_.bytes};
}

void Load::start_ended() {
  transfers_.clear();
  for (const Ended& ended : ended_) transfers_.push_back(transfer(ended.slot));
  in_flight_ += static_cast<std::uint32_t>(transfers_.size());
  asked_ += transfers_.size() * trial_.bytes;
  disk_.start(transfers_);
}

// The steady state begins and ends with the end of a request; only ends after its begin count, so that n channels in
// step do not count one batch too many. What has ended is not in flight until it is replaced: the more time that takes,
// the less is in flight.
void Load::keep_going(const TrialLimits& limits, TrialResult& result) {
  const Time began = disk_.now();
  for (std::uint32_t slot = 0; slot < trial_.depth; ++slot) ended_.push_back({slot, 0});
  start_ended();
  std::optional<Time> steady;
  std::uint32_t seen = 0, left = 0;  // left in flight by the last wait
  Time last = began;
  bool stopping = false;
  while (in_flight_ > 0) {
    ended_.clear();
    const Time asked = disk_.now();
    disk_.wait(asked + kPatience, ended_);
    const Time now = disk_.now();
    if (ended_.empty()) {  // what is in flight stays there
      result.error = ETIMEDOUT;
      return;
    }
    const auto count = static_cast<std::uint32_t>(ended_.size());
    for (const Ended& ended : ended_) {
      if (ended.error != 0 && result.error == 0) result.error = ended.error;
    }
    if (steady && !stopping) {
      result.completions += count;
      result.latency += (asked - last) * left + (now - asked) * in_flight_;
      result.elapsed = now - *steady;
    }
    last = now;
    seen += count;
    left = in_flight_ -= count;
    if (!steady && (seen >= trial_.depth || now - began >= kWarmUp)) steady = now;
    const bool enough = result.completions >= limits.completions && result.elapsed >= limits.least;
    const bool no_more = wrapped_ && result.completions >= kEndsBeforeWrap;
    stopping = stopping || enough || no_more || result.elapsed >= limits.most || result.error != 0;
    if (!stopping) start_ended();
  }
}

void Load::flush_often(const TrialLimits& limits, TrialResult& result) {
  const Time began = disk_.now();
  const std::uint32_t wanted = std::max(1U, limits.completions / kRequestsPerFlush);
  while (result.error == 0 && result.completions < wanted && disk_.now() - began < limits.most) {
    once(Operation::write, result);
    const Duration time = once(Operation::sync, result);
    ++result.completions;
    result.elapsed += time;
    result.latency += time;
  }
}

Duration Load::once(Operation operation, TrialResult& result) {
  if (result.error != 0) return {};
  const std::uint64_t blocks = std::max<std::uint64_t>(1, disk_.span(Operation::write) / trial_.bytes);
  const bool writes = operation == Operation::write;
  const std::array transfers{
      Transfer{0, operation, writes ? below(blocks) * trial_.bytes : 0, writes ? trial_.bytes : 0}};
  if (writes) asked_ += trial_.bytes;
  const Time began = disk_.now();
  ended_.clear();
  disk_.start(transfers);
  disk_.wait(began + kPatience, ended_);
  result.error = ended_.empty() ? ETIMEDOUT : ended_.front().error;
  return disk_.now() - began;
}

}  // namespace fairfs::probe
