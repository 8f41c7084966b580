// Which bytes of one file one writer has dirtied and nobody has sent to the disk yet.
#pragma once

#include <cstdint>
#include <map>

namespace fairfs::sched {

/// Disjoint, merged when they touch. Adding behind the last one, as a stream does, costs no search and no allocation.
/// Offsets and lengths in bytes; an extent that would pass 2^64 ends there.
class DirtyExtents {
 public:
  /// Part of a file: `length` bytes from `offset`, of which `bytes` are dirty.
  struct Span {
    std::uint64_t offset = 0, length = 0, bytes = 0;
  };

  /// How many bytes became dirty that weren't.
  std::uint64_t add(std::uint64_t offset, std::uint64_t length);
  /// Everything from `offset` on is clean: how many bytes that were.
  std::uint64_t cut(std::uint64_t offset);
  /// Takes the first extent at or after `from` (the first of all if there is none), and those behind it as far as they
  /// lie in the same stretch of `stretch` bytes of the file (a power of two): one call of the kernel writes them. Not
  /// more than `most` (> 0) dirty bytes. Empty (bytes 0) when nothing is dirty.
  Span take(std::uint64_t from, std::uint64_t stretch, std::uint64_t most);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] std::size_t count() const { return extents_.size(); }

 private:
  std::map<std::uint64_t, std::uint64_t> extents_;  // start -> end
  std::uint64_t bytes_ = 0;
};

}  // namespace fairfs::sched
