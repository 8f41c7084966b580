// What a power cut takes away: writes that no flush has made safe.
#pragma once

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "tests/diskemu/contents.h"

namespace fairfs::test {

/// Remembers of each page what was there before, once for each flush that is on its way. Memory grows with what is
/// written between two flushes, so it is told when to begin. Not thread-safe.
class Unflushed {
 public:
  void remember() { remembering_ = true; }
  /// The range is about to change.
  void changing(const Contents& contents, std::uint64_t offset, std::uint64_t bytes);
  /// A flush has come: its mark, to be given to `flushed` when it is answered.
  std::uint64_t flushing() { return last_flush_ = ++sequence_; }
  void flushed(std::uint64_t mark);
  /// Everything is as it was at the last flush that was answered.
  void drop(Contents& contents);

 private:
  static constexpr std::uint64_t kPage = 4096;  // bytes
  struct Version {
    std::uint64_t sequence = 0;  // of the change
    std::array<char, kPage> before;
  };

  bool remembering_ = false;
  std::uint64_t sequence_ = 0, last_flush_ = 0;
  std::unordered_map<std::uint64_t, std::vector<Version>> pages_;  // by number, oldest version first
};

}  // namespace fairfs::test
