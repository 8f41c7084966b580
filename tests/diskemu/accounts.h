// What the disk did, by range of blocks: the judge of fairness.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/diskemu/device.h"

namespace fairfs::test {

/// What the host asked for (requests, bytes) and what it cost the medium (device time; see Work), since the start or
/// the last reset. Ranges may overlap; a request counts in each range it touches, with the bytes and the part of its
/// time that lie there. Not thread-safe.
class Accounts {
 public:
  struct Sums {
    std::uint64_t reads = 0, read_bytes = 0, writes = 0, write_bytes = 0, flushes = 0;
    Duration device_time{};
  };

  /// Counts [start, end) in bytes under `name`; a second range of that name adds to the first, as a file has extents.
  void add_range(const std::string& name, std::uint64_t start, std::uint64_t end);
  /// Zeroes every sum and keeps the ranges.
  void reset();

  void count(const IoRequest& request);
  void charge(const Work& work);

  [[nodiscard]] const Sums& total() const { return total_; }
  [[nodiscard]] const Sums& of(const std::string& name) const { return sums_.at(name); }
  /// A line of column names, one for "total" and one for each name in alphabetic order; sectors of 512 bytes.
  [[nodiscard]] std::string text() const;

 private:
  struct Range {
    std::uint64_t start, end;
    Sums* sums;  // in sums_, whose nodes stay where they are
  };

  std::vector<Range> ranges_;
  std::map<std::string, Sums> sums_;
  Sums total_;
};

}  // namespace fairfs::test
