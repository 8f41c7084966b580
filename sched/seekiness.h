// Whether a flow's requests continue each other.
#pragma once

#include <bit>
#include <cstdint>

namespace fairfs::sched {

/// BFQ's: one bit for each of the last 32 requests; more than 19 that continued nothing make the flow seeky (CFQ's
/// limit of 4 made a flow's nature flap between two readings of the same disk). A new flow counts as sequential.
class Seekiness {
 public:
  void note(bool sequential) { history_ = history_ << 1 | (sequential ? 0U : 1U); }
  [[nodiscard]] bool seeky() const { return std::popcount(history_) > kSeeksMax; }

 private:
  static constexpr int kSeeksMax = 19;
  std::uint32_t history_ = 0;
};

}  // namespace fairfs::sched
