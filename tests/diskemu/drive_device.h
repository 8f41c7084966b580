// Runs a model to the end of its work and notes when each request was answered.
#pragma once

#include <map>

#include "tests/diskemu/device.h"

namespace fairfs::test {

inline constexpr std::uint64_t kKiB = 1024, kMiB = 1024 * kKiB;

inline Time at(Duration since_start) { return Time{since_start}; }

class DeviceDriver {
 public:
  explicit DeviceDriver(Device& device) : device_{device} {}

  void submit(const IoRequest& request, Duration when = {}) {
    run_until(at(when));
    device_.submit(request, at(when));
  }

  /// Lets everything happen that happens by `end`.
  void run_until(Time end) {
    for (Time next = device_.next_event(); next <= end; next = device_.next_event()) {
      if (next == kNever) return;
      step(next);
    }
    step(end);
  }
  void run() { run_until(kNever); }

  /// When a request was answered, since the start; fails the test with std::out_of_range if it never was.
  [[nodiscard]] Duration answered(std::uint64_t id) const { return answered_.at(id).time_since_epoch(); }
  [[nodiscard]] bool is_answered(std::uint64_t id) const { return answered_.contains(id); }
  [[nodiscard]] Duration busy() const { return busy_; }
  [[nodiscard]] const std::vector<Work>& work() const { return outcome_.work; }

 private:
  void step(Time now) {
    if (now == kNever) return;
    const std::size_t known = outcome_.work.size();
    device_.advance(now, outcome_);
    for (std::size_t index = known; index < outcome_.work.size(); ++index) busy_ += outcome_.work[index].busy;
    for (const std::uint64_t id : outcome_.done) answered_.emplace(id, now);
    outcome_.done.clear();
  }

  Device& device_;
  Outcome outcome_;
  std::map<std::uint64_t, Time> answered_;
  Duration busy_{};
};

}  // namespace fairfs::test
