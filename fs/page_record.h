// Whether the kernel's pages of a file may survive its next open.
#pragma once

#include <sys/stat.h>

#include <chrono>
#include <cstdint>

namespace fairfs::fs {

/// State of the backing file when the kernel last dropped the pages it had, so that all it holds now was read later.
/// An open that finds that very state again can let the kernel keep them: nobody wrote in between.
///
/// That conclusion needs a ctime that would have changed. A write in the same tick of the file system's clock leaves it
/// as it was, so a ctime younger than one tick when recorded proves nothing (git's "racy" rule) and the next open drops
/// the pages once more. Writes through the mount change the ctime too and so cost one drop at the next open: telling
/// them from writes behind the mount that fall between two of ours isn't possible by looking at times, and the kernel
/// itself drops pages when it sees the mtime move (AUTO_INVAL_DATA). A value type; the owner guards it.
class PageRecord {
 public:
  using WallTime = std::chrono::nanoseconds;  ///< since 1970

  /// Longest tick of a clock that stamps files: CONFIG_HZ=100 gives 10 ms, twice that for safety.
  static constexpr WallTime kFineTick = std::chrono::milliseconds{20};
  /// FAT stamps in steps of 2 s; other machines' clocks are taken to be right to that too.
  static constexpr WallTime kCoarseTick = std::chrono::seconds{2};

  /// Call at each open with the file's present attributes. True: keep the pages. False: the kernel must drop them, and
  /// this state is recorded. `coarse`: the file system isn't a local one with fine stamps.
  [[nodiscard]] bool keep(const struct stat& attributes, WallTime now, bool coarse) noexcept {
    const WallTime modified = time_of(attributes.st_mtim), changed = time_of(attributes.st_ctim);
    if (trusted_ && size_ == attributes.st_size && modified_ == modified && changed_ == changed) return true;
    size_ = attributes.st_size;
    modified_ = modified;
    changed_ = changed;
    // Stamps of whole seconds come from file systems that have nothing finer (ext4 with small inodes, HFS+).
    const bool whole_seconds = attributes.st_ctim.tv_nsec == 0;
    trusted_ = now - changed >= (coarse || whole_seconds ? kCoarseTick : kFineTick);
    return false;
  }

  /// The next open drops the pages.
  void forget() noexcept { trusted_ = false; }

 private:
  static WallTime time_of(const timespec& stamp) noexcept {
    return std::chrono::seconds{stamp.tv_sec} + std::chrono::nanoseconds{stamp.tv_nsec};
  }

  off_t size_ = 0;
  WallTime modified_{}, changed_{};
  bool trusted_ = false;
};

}  // namespace fairfs::fs
