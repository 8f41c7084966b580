// What a request costs: device time by the linear model of disk_profile.h (Linux blk-iocost's), in ns of the whole
// disk.
#pragma once

#include <array>
#include <cstdint>

#include "sched/disk_profile.h"
#include "sched/types.h"

namespace fairfs::sched {

/// Where a flow's last requests ended, for its four last files: a program that copies reads one and writes another; one
/// that merges reads a few. More at once is no sequential work for a disk.
class StreamPositions {
 public:
  /// A request this far ahead of the last one's end, or by its own length, still continues it: the kernel's readahead
  /// (128 KiB a request, or 1 MiB) sends its requests from several threads, so that one may overtake the other.
  static constexpr std::uint64_t kWindowBytes = 128 * 1024;

  [[nodiscard]] bool continues(std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes = 0) const;
  /// Bytes from the nearest position in that file, in either direction; kFar without one.
  [[nodiscard]] std::uint64_t distance(std::uint64_t inode, std::uint64_t offset) const;
  static constexpr std::uint64_t kFar = ~std::uint64_t{0};
  void note(std::uint64_t inode, std::uint64_t end);

 private:
  static constexpr unsigned kFiles = 4;
  static constexpr std::uint64_t kNowhere = ~std::uint64_t{0};
  struct Position {
    std::uint64_t inode = 0, end = kNowhere;
  };
  std::array<Position, kFiles> positions_{};
  unsigned oldest_ = 0;
};

class CostModel {
 public:
  explicit CostModel(const DiskProfile& profile) : profile_(profile), write_behind_(profile.write) {}
  /// What a flush costs from now on.
  void set_sync(Duration cost) {
    profile_.sync = cost;
    ++revision_;
  }
  /// From now on all else costs this many times what the profile says (cost_correction.h).
  void set_slowness(double factor);
  /// What write-behind writes in a second from now on, > 0: it is watched by itself, and slowness doesn't apply.
  void set_write_behind(std::uint64_t bytes_per_s) {
    write_behind_.bytes_per_s = bytes_per_s;
    ++revision_;
  }
  /// Another one after each change: what was worked out before it may cost something else now.
  [[nodiscard]] std::uint64_t revision() const { return revision_; }
  /// 1..kCostMax ns: base + bytes / bandwidth, at least the kind's `least`; what set_sync said, or the profile's
  /// `sync`, for a flush.
  [[nodiscard]] std::uint64_t cost(Operation operation, std::uint64_t bytes, bool sequential) const;
  /// A buffered write's.
  [[nodiscard]] std::uint64_t write_behind(std::uint64_t bytes, bool sequential) const;
  /// The same as `cost` without slowness.
  [[nodiscard]] std::uint64_t predicted(Operation operation, std::uint64_t bytes, bool sequential) const;

 private:
  static constexpr std::uint64_t kFixedPoint = 1 << 16;  // a sixteenth to 16 (CostCorrection) to a ten-thousandth

  [[nodiscard]] static std::uint64_t linear(const CostCoefficients& kind, std::uint64_t bytes, bool sequential);

  DiskProfile profile_;
  CostCoefficients write_behind_;
  std::uint64_t slowness_fixed_ = kFixedPoint;
  std::uint64_t revision_ = 0;
};

}  // namespace fairfs::sched
