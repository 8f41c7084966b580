// Which queue depth to try next, and where throughput stops growing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace fairfs::probe {

/// Doubles the depth until two doublings gain nothing, then looks once between the knee and the depth below it. More
/// depth never makes a disk slower: where it seems so, it is noise, and neighbours are averaged.
class Ladder {
 public:
  /// 4 KiB reads a second, one at a time: slower disks have heads.
  static constexpr double kSlowRate = 400;

  /// Nothing: the climb is over.
  [[nodiscard]] std::optional<std::uint32_t> next() const;
  void record(std::uint32_t depth, double rate) { rates_[depth] = rate; }

  /// Least depth tried that reaches kKneePart of the most any reached; 1 before the first record.
  [[nodiscard]] std::uint32_t knee() const;
  /// The depth with the most throughput.
  [[nodiscard]] std::uint32_t best() const;
  [[nodiscard]] bool empty() const { return rates_.empty(); }

 private:
  /// Requests a second by depth, never falling.
  [[nodiscard]] std::map<std::uint32_t, double> smooth() const;

  std::map<std::uint32_t, double> rates_;  // requests a second
};

}  // namespace fairfs::probe
