// How fast the disk takes what is written behind.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::sched {

/// Starts from what the profile says and follows what is seen: the bytes that ended over the time with at least one
/// piece in the disk. Time in which others have the disk alone doesn't count.
class WriteRate {
 public:
  explicit WriteRate(std::uint64_t bytes_per_s) : bytes_per_s_(bytes_per_s) {}

  void started(Time now) {
    if (in_disk_++ == 0) busy_since_ = now;
  }
  void finished(std::uint64_t bytes, Time now) {
    busy_ += now - busy_since_;
    busy_since_ = now;
    --in_disk_;
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
  Time busy_since_{};
  std::uint64_t in_disk_ = 0, bytes_ = 0, pieces_ = 0;
};

}  // namespace fairfs::sched
