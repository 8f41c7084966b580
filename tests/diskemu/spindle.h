// One hard disk: a head that seeks, waits for the platter to turn, and transfers.
#pragma once

#include <deque>
#include <optional>

#include "tests/diskemu/device.h"

namespace fairfs::test {

struct SpindleConfig {
  std::uint64_t capacity = 0;                           ///< bytes; the longest seek crosses it all
  Duration seek_min = std::chrono::microseconds{500};   ///< to the neighbouring track
  Duration seek_max = std::chrono::milliseconds{9};     ///< across the whole disk
  Duration rotation = std::chrono::microseconds{8333};  ///< one turn at 7200 a minute
  std::uint64_t bytes_per_s = 120'000'000;              ///< at the head
  std::size_t queue_depth = 32;                         ///< commands the disk sees at once (SATA NCQ)
  Duration age_max = std::chrono::milliseconds{60};     ///< after that a command goes first
};

/// Seek time = seek_min + (seek_max - seek_min) * sqrt(distance / capacity): the head accelerates half of the way and
/// brakes the other half. Rotational wait = from the angle under the head to the angle of the first byte, where one
/// turn is a track of bytes_per_s * rotation bytes. A command that starts where the last one ended seeks nothing; a
/// read there never waits for rotation either, because disks read ahead into their buffer, and neither does a write
/// that was queued before the last one ended. Of the first queue_depth commands the nearest is next, unless the oldest
/// has waited for age_max.
class Spindle final : public Device {
 public:
  explicit Spindle(const SpindleConfig& config);

  void submit(const IoRequest& request, Time now) override;
  [[nodiscard]] Time next_event() const override { return active_ ? active_->finish : kNever; }
  [[nodiscard]] bool saturated() const override { return active_ && !queue_.empty(); }
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override { slowness_ = factor; }

  /// How long `request` would take if it started at `start`, having been submitted at `arrived`.
  [[nodiscard]] Duration service_time(const IoRequest& request, Time arrived, Time start) const;

 private:
  struct Queued {
    IoRequest request;
    Time arrived;
  };
  struct Active {
    IoRequest request;
    Time start, finish;
  };

  [[nodiscard]] std::size_t pick(Time now) const;
  [[nodiscard]] Duration rotational_wait(std::uint64_t offset, Time when) const;
  void start(Time now);

  const SpindleConfig config_;
  const std::uint64_t track_bytes_;
  double slowness_ = 1;
  std::deque<Queued> queue_;  // in order of arrival
  std::optional<Active> active_;
  std::uint64_t head_ = 0;  // the byte after the last one transferred
  Time head_free_{};        // when that was
};

}  // namespace fairfs::test
