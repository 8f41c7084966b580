// How fast the disk takes what is written behind.
#pragma once

#include <cstdint>
#include <utility>

#include "sched/types.h"

namespace fairfs::sched {

/// Starts from what the profile says and follows what is seen: the bytes that ended over the time with at least one
/// piece in the disk. Time in which others have the disk alone doesn't count, nor does the first piece after an
/// interruption, which is late for the interruption's sake.
class WriteRate {
 public:
  explicit WriteRate(std::uint64_t bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  void started(Time now) {
    if (in_disk_++ == 0) since_ = now;
  }
  void finished(std::uint64_t bytes, Time now) {
    const Duration took = now - std::exchange(since_, now);
    --in_disk_;
    if (std::exchange(interrupted_, false)) return;
    busy_ += took;
    bytes_ += bytes;
    ++pieces_;
    if (busy_ < kSample) return;
    // Small scattered pieces say how fast the disk seeks, not how fast it writes.
    if (bytes_ >= pieces_ * kLargePiece) {
      const auto seen =
          static_cast<std::uint64_t>(static_cast<double>(bytes_) * 1e9 / static_cast<double>(busy_.count()));
      bytes_per_s_ = (bytes_per_s_ + seen) / 2;
    }
    busy_ = {};
    bytes_ = pieces_ = 0;
  }

  void interrupted() { interrupted_ = true; }

  [[nodiscard]] std::uint64_t bytes_per_s() const { return bytes_per_s_; }
  [[nodiscard]] std::uint64_t bytes_in(Duration time) const {
    return static_cast<std::uint64_t>(static_cast<double>(bytes_per_s_) * static_cast<double>(time.count()) / 1e9);
  }

 private:
  /// Long enough for ten pieces of a hard disk, short enough that a guess four times too high is off by a tenth within
  /// a second: each sample halves the error.
  static constexpr Duration kSample = std::chrono::milliseconds{200};
  static constexpr std::uint64_t kLargePiece = 256 * 1024;  // bytes, mean of a sample

  std::uint64_t bytes_per_s_;
  Duration busy_{};
  Time since_{};  // the last end, or the start of the first piece
  std::uint64_t in_disk_ = 0, bytes_ = 0, pieces_ = 0;
  bool interrupted_ = false;
};

}  // namespace fairfs::sched
