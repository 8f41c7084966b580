// How the descriptors that the process may open are divided.
#pragma once

#include <algorithm>
#include <cstddef>

namespace fairfs::fs {

/// lent + kept + reserve + kEachHandle * handles <= limit (from 512 on), so that none can use up another's.
struct DescriptorPlan {
  /// Its own, and that of its inode, which can't be closed once the file has no name.
  static constexpr std::size_t kEachHandle = 2;
  /// Each keeps kernel memory of some 1.5 KiB (a dentry and an inode of the source) from being reclaimed. At least one
  /// for each shard of the table.
  static constexpr std::size_t kLentMost = 65536, kLentLeast = 64;
  /// The daemon's own (30), clients of the control socket (64), and what a request opens for as long as it takes: 4 for
  /// each of 40 threads with metadata, 1 for each of 40 with writes, 1 for each request in the disk.
  static constexpr std::size_t kReserve = 512;

  std::size_t limit = 0;    ///< RLIMIT_NOFILE
  std::size_t lent = 0;     ///< for inodes; those of files not used lately are closed and opened again
  std::size_t kept = 0;     ///< for inodes on file systems where that can't be done
  std::size_t reserve = 0;  ///< for everything that is short or not a caller's
  std::size_t handles = 0;  ///< files and directories that callers may have open

  /// What inodes may have beyond `lent` while so many handles are taken and so many inodes keep theirs: seven eighths
  /// of what is free, so that the first to need it needn't wait for a descriptor to be closed.
  [[nodiscard]] constexpr std::size_t spare(std::size_t handles_taken, std::size_t kept_now) const noexcept {
    const std::size_t of_handles = kEachHandle * (handles - std::min(handles, handles_taken));
    const std::size_t of_kept = kept - std::min(kept, kept_now);
    return std::min((of_handles + of_kept) / 8 * 7, kLentMost - lent);
  }

  /// An eighth and a quarter for inodes, and of small limits a quarter in reserve.
  [[nodiscard]] static constexpr DescriptorPlan of(std::size_t limit) noexcept {
    DescriptorPlan plan{.limit = limit};
    plan.lent = std::clamp(limit / 8, kLentLeast, kLentMost);
    plan.kept = limit / 4;
    plan.reserve = std::min(limit / 4, kReserve);
    const std::size_t others = plan.lent + plan.kept + plan.reserve;
    plan.handles = limit > others ? (limit - others) / kEachHandle : 0;
    return plan;
  }
};

}  // namespace fairfs::fs
