// Turns: where streams must not be interleaved, a few flows at a time have the disk to themselves.
#pragma once

#include <array>
#include <cstdint>

#include "sched/constants.h"
#include "sched/cost.h"
#include "sched/types.h"

namespace fairfs::sched {

/// How long turns are, for one cost of switching.
class SliceLengths {
 public:
  explicit SliceLengths(Duration switch_cost)
      : switch_cost_(switch_cost > Duration::zero() ? switch_cost : kSwitchCostUnknown) {}

  [[nodiscard]] Duration switch_cost() const { return switch_cost_; }
  /// Worth its switch, for whoever comes out of turn.
  [[nodiscard]] Duration least() const { return switch_cost_ * kSwitchesPerSliceMin; }
  /// Of one among many equal flows.
  [[nodiscard]] Duration equal() const { return switch_cost_ * kSwitchesPerEqualSlice; }
  /// Device time of a turn of a flow that is due `share` (of Tree::kShareOne) among `flows` backlogged ones: as all
  /// have one turn a round, turns are as long as shares are large. A flow whose turn would be shorter than
  /// kSwitchesPerLightSlice has turns more rarely instead, which its tag sees to.
  [[nodiscard]] Duration length(std::uint32_t flows, std::uint64_t share) const;

 private:
  Duration switch_cost_;
};

/// One turn. Those who continue its stream take part in it: see cooperators.h.
struct Slice {
  static constexpr unsigned kPartnersMax = 8;

  std::uint32_t owner = 0;  ///< node
  ServiceClass service{};
  std::uint64_t length = 0, used = 0;  ///< ns of device time
  Duration least{};                    ///< of `length`, whoever else comes
  Time ends{};                         ///< by the clock, whatever was used
  StreamPositions positions;
  std::array<std::uint32_t, kPartnersMax> partners{};  ///< nodes
  unsigned partner_count = 0;
  bool shared = false;  ///< somebody has taken part
  bool of_floor = false;  ///< beside a higher class, since its own is owed that
  bool ending = false;    ///< no more of it goes to the disk, where something still is

  [[nodiscard]] bool used_up(Time now) const { return used >= length || now >= ends; }
};

}  // namespace fairfs::sched
