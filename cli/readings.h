// Readings one after the other, from a daemon or from a file.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "cli/recording.h"
#include "cli/stat_client.h"

namespace fairfs::cli {

class Readings {
 public:
  virtual ~Readings() = default;
  /// The next one, when it is due; nothing at the end. Throws Failure.
  [[nodiscard]] virtual std::optional<StatReply> next() = 0;
};

/// Of a running mount: one at once, then one each interval. `record`, if there is one, gets them all.
class DaemonReadings final : public Readings {
 public:
  DaemonReadings(StatTarget target, double interval_s, Recorder* record);
  [[nodiscard]] std::optional<StatReply> next() override;

 private:
  using Clock = std::chrono::steady_clock;
  const StatTarget target_;
  const Clock::duration interval_;
  Recorder* const record_;
  Clock::time_point due_;
};

/// Of a file, as fast as they can be read.
class RecordedReadings final : public Readings {
 public:
  explicit RecordedReadings(const std::string& path) : recording_{path} {}
  [[nodiscard]] std::optional<StatReply> next() override { return recording_.next(); }

 private:
  Recording recording_;
};

/// The two ends of the daemon's last full second, waited for if it has just started. Throws Failure.
[[nodiscard]] StatReply last_full_second(const StatTarget& target);

}  // namespace fairfs::cli
