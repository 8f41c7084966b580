// What a modelled disk is told and what it answers.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sched/types.h"

namespace fairfs::test {

using sched::Duration;
using sched::kNever;
using sched::Time;

enum class IoKind : std::uint8_t { read, write, flush };

/// One command of the host. `id` is the host's own and comes back when the command is done; a flush has no bytes.
struct IoRequest {
  std::uint64_t id = 0;
  IoKind kind = IoKind::read;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// Time the medium spent on a stretch of blocks. A medium that never rests adds up to one second per second, however
/// many spindles or channels it has.
struct Work {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  Duration busy{};
};

/// What happened during `advance`, appended; the caller empties it.
struct Outcome {
  std::vector<std::uint64_t> done;  ///< ids of requests whose answer is due
  std::vector<Work> work;
};

/// A disk as a function of time. Not thread-safe; knows no clock: `now` is an argument and never goes back, and every
/// call of `submit` follows an `advance` to the same moment, so that nothing starts before what came earlier ended.
class Device {
 public:
  Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;
  virtual ~Device() = default;

  virtual void submit(const IoRequest& request, Time now) = 0;

  /// When `advance` next has something to say; kNever while the disk is idle.
  [[nodiscard]] virtual Time next_event() const = 0;

  /// Whether a request submitted before the next event could only wait behind others, and the disk has work beyond that
  /// event: then nobody needs to hurry to tell it of requests, or to hear of what is done.
  [[nodiscard]] virtual bool saturated() const = 0;

  /// Everything up to `now`. Work that follows on work starts when that ended, not when somebody asked: a late call
  /// delays answers, never the disk.
  virtual void advance(Time now, Outcome& outcome) = 0;

  /// Everything started from here on takes `factor` times as long; 0 takes no time at all.
  virtual void set_slowness(double factor) = 0;
};

/// `duration` as a disk `factor` times as slow would take.
inline Duration slowed(Duration duration, double factor) {
  return Duration{static_cast<Duration::rep>(static_cast<double>(duration.count()) * factor)};
}

/// Time to move `bytes` at `bytes_per_s`.
inline Duration transfer_time(std::uint64_t bytes, std::uint64_t bytes_per_s) {
  return Duration{static_cast<Duration::rep>(static_cast<double>(bytes) * 1e9 / static_cast<double>(bytes_per_s))};
}

}  // namespace fairfs::test
