// How much space is reserved behind the end of files that grow side by side, so that each lies in few extents.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sched/types.h"
#include "sched/write_behind.h"

namespace fairfs::sched {

/// Pure and not thread-safe. A file alone needs nothing: what it writes next lies where it stopped. Of two, each takes
/// the place behind the other's last piece. So who has written much in order while another does gets three times as
/// much ahead as it has: a file that grows for ever lies in parts that quadruple. XFS does it for every file, by twos.
class SpacePlan {
 public:
  /// Written in order until then: nothing is reserved. ext4 itself takes so much for each file at a time.
  static constexpr std::uint64_t kRunLeast = std::uint64_t{8} << 20;
  /// Bytes ahead, at least: half of an ext4 block group; at most: what a file that ends there had for nothing.
  static constexpr std::uint64_t kAheadLeast = std::uint64_t{64} << 20, kAheadMost = std::uint64_t{512} << 20;
  static constexpr std::uint64_t kGrowth = 3;
  /// All that is reserved and not written is at most this part of what is free: others must not miss it.
  static constexpr std::uint64_t kFreePart = 8;
  /// Two files grow side by side if both were written within this time.
  static constexpr Duration kBeside = std::chrono::seconds{1};

  struct Range {
    std::uint64_t offset = 0, bytes = 0;
  };

  /// The file is about to be written from `run.offset` to the end of `run`, in order and without a gap, for at least
  /// kRunLeast. What it should have then, from what is not on the disk yet on; none if it has enough, or is alone.
  [[nodiscard]] std::optional<Range> grows(FileId file, const Range& run, Time now);
  /// How much of `wanted` may be reserved while so many bytes are free; 0: nothing.
  [[nodiscard]] std::uint64_t allowed(FileId file, const Range& wanted, std::uint64_t free) const;
  /// It is. Or it can't be, for any reason: not tried again before the file has grown by kAheadLeast.
  void reserved(FileId file, const Range& range);
  void refused(FileId file);

  /// Nothing is reserved for it any more.
  void forget(FileId file) { files_.erase(file); }
  [[nodiscard]] bool has_reserved(FileId file) const;
  /// Files that don't grow, for which nothing was reserved: they are forgotten.
  [[nodiscard]] std::vector<FileId> take_idle(Time now);
  [[nodiscard]] bool empty() const { return files_.empty(); }

 private:
  struct File {
    Time seen{};
    std::uint64_t end = 0;          // of what is written
    std::uint64_t reserved_to = 0;  // 0: nothing
    std::uint64_t try_from = 0;     // not before the file has grown so long
  };
  std::unordered_map<FileId, File> files_;
};

}  // namespace fairfs::sched
