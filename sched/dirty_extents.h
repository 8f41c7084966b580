// Which pages of one file one writer has dirtied and nobody has sent to the disk yet.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>

namespace fairfs::sched {

/// One bit for each page, by stretches of the file, so that a write costs the same wherever it goes. Offsets and
/// lengths in bytes; a page that is dirty in part counts as a whole one, since that is what the disk will write. A
/// write that would pass 2^64 ends there.
class DirtyExtents {
 public:
  static constexpr std::uint64_t kPageBytes = 4096;
  static constexpr std::uint64_t kStretchBytes = std::uint64_t{1} << 20;

  /// Part of a file: `length` bytes from `offset`, of which `bytes` are dirty. All of them whole pages.
  struct Span {
    std::uint64_t offset = 0, length = 0, bytes = 0;
  };

  /// The pages that a write makes dirty, if they lie in one stretch and are any.
  [[nodiscard]] static std::optional<Span> span_of(std::uint64_t offset, std::uint64_t length) {
    if (length == 0 || length > ~offset || offset / kStretchBytes != (offset + length - 1) / kStretchBytes) return {};
    const std::uint64_t first = offset / kPageBytes * kPageBytes;
    const std::uint64_t bytes = ((offset + length - 1) / kPageBytes + 1) * kPageBytes - first;
    return Span{.offset = first, .length = bytes, .bytes = bytes};
  }
  /// How many bytes became dirty that weren't.
  std::uint64_t add(std::uint64_t offset, std::uint64_t length);
  /// Everything from `offset` on is clean: how many bytes that were. The page that `offset` lies within stays.
  std::uint64_t cut(std::uint64_t offset);
  /// Takes the first dirty page at or after `from` (the first of all if there is none), and those behind it as far as
  /// they lie in the same `stretch` bytes of the file (a power of two, kPageBytes..kStretchBytes): one call of the
  /// kernel writes them. Not more than `most` (>= kPageBytes) dirty bytes. Empty (bytes 0) when nothing is dirty.
  Span take(std::uint64_t from, std::uint64_t stretch, std::uint64_t most);

  /// The page at `offset`, a whole number of pages, is dirty.
  [[nodiscard]] bool starts_at(std::uint64_t offset) const;
  [[nodiscard]] std::uint64_t bytes() const { return pages_ * kPageBytes; }

 private:
  static constexpr std::uint64_t kPages = kStretchBytes / kPageBytes, kWordPages = 64;
  using Bits = std::array<std::uint64_t, kPages / kWordPages>;

  std::uint64_t add_page(std::uint64_t page);

  std::map<std::uint64_t, Bits> stretches_;  // by number; none of them is empty
  std::uint64_t pages_ = 0;
};

}  // namespace fairfs::sched
