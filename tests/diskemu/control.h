// The orders a test gives the disk while it runs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tests/diskemu/accounts.h"
#include "tests/diskemu/device.h"

namespace fairfs::test {

/// Reads one order a line:
///   range NAME START END   count [START, END) bytes under NAME        reset        zero the accounts
///   slow FACTOR            take FACTOR times as long; 0: no time      fail START END   answer EIO there
///   hang SECONDS           do nothing for so long                     ok           speed 1, no faults, no hang
///   volatile               from now on a cut loses what isn't flushed cut          lose it, answer EIO until ok
/// Also owns the disk's own time, which stands still while the disk hangs. Not thread-safe; `now` never goes back.
class Control {
 public:
  /// Both are borrowed and outlive this.
  Control(Device& device, Accounts& accounts) : device_{device}, accounts_{accounts} {}

  /// False if the line is none of the above; then nothing is changed. The device was advanced to disk_time(now).
  [[nodiscard]] bool execute(const std::string& line, Time now);

  /// The disk's time at a moment of the world.
  [[nodiscard]] Time disk_time(Time now) const;
  /// The moment of the world when the disk's time comes to `disk`, or kNever for kNever.
  [[nodiscard]] Time world_time(Time disk) const;

  /// Whether a request must be answered with EIO.
  [[nodiscard]] bool fails(const IoRequest& request) const;

  [[nodiscard]] bool remembers() const { return remembers_; }
  [[nodiscard]] bool is_cut() const { return cut_; }

  /// The orders in force, as they would be given.
  [[nodiscard]] std::string text() const;

 private:
  struct Hang {
    Time from, until;  // of the world
  };
  struct Fault {
    std::uint64_t start, end;
  };

  void hang(Duration duration, Time now);
  void end_hang(Time now);
  void set_slowness(double factor);

  Device& device_;
  Accounts& accounts_;
  double slowness_ = 1;
  Duration lost_{};  // in hangs that are over
  std::optional<Hang> hang_;
  std::vector<Fault> faults_;
  bool remembers_ = false, cut_ = false;
};

}  // namespace fairfs::test
