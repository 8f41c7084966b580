// Which queue depth to try next, and where throughput stops growing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace fairfs::probe {

/// Doubles the depth until two doublings gain nothing, then looks once between the knee and the depth below it.
class Ladder {
 public:
  /// Nothing: the climb is over.
  [[nodiscard]] std::optional<std::uint32_t> next() const;
  void record(std::uint32_t depth, double rate) { rates_[depth] = rate; }

  /// Least depth tried that reaches kKneePart of the most any reached; 1 before the first record.
  [[nodiscard]] std::uint32_t knee() const;
  /// The depth with the most throughput.
  [[nodiscard]] std::uint32_t best() const;
  [[nodiscard]] bool empty() const { return rates_.empty(); }

 private:
  [[nodiscard]] double rate(std::uint32_t depth) const;

  std::map<std::uint32_t, double> rates_;  // requests a second
};

}  // namespace fairfs::probe
