// Who has used which directory lately, so that nobody's waiting look-up holds up somebody else there.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace fairfs::fs {

/// Linux holds a directory's lock during a LOOKUP or READDIR until it is answered: shared, or exclusive when the name
/// is to be made or removed. Who makes or removes a name there waits for that, and behind him whoever looks one up.
/// Remembers for some directories (those of the last use in each of kSlots) their last user and when anybody else was
/// there. Thread-safe; two at the same moment may lose one of the notes. Users are threads, as FUSE names them.
class DirectoryUse {
 public:
  using Time = std::chrono::nanoseconds;  ///< CLOCK_MONOTONIC
  /// A directory is shared for so long after another's use: who works in one comes back within a second.
  static constexpr Time kLately = std::chrono::seconds{1};

  void note(std::uint64_t directory, std::uint32_t user, Time now) {
    Slot& slot = of(directory);
    if (slot.directory.exchange(directory, std::memory_order_relaxed) != directory) {
      slot.other.store(kNever, std::memory_order_relaxed);
    } else if (slot.user.load(std::memory_order_relaxed) != user) {
      slot.other.store(slot.last.load(std::memory_order_relaxed), std::memory_order_relaxed);
    }
    slot.user.store(user, std::memory_order_relaxed);
    slot.last.store(now.count(), std::memory_order_relaxed);
  }
  /// Somebody else than `user` was there lately.
  [[nodiscard]] bool shared(std::uint64_t directory, std::uint32_t user, Time now) const {
    const Slot& slot = of(directory);
    if (slot.directory.load(std::memory_order_relaxed) != directory) return false;
    const bool last_is_other = slot.user.load(std::memory_order_relaxed) != user;
    const std::int64_t when = (last_is_other ? slot.last : slot.other).load(std::memory_order_relaxed);
    return when != kNever && now - Time{when} < kLately;
  }

 private:
  static constexpr std::size_t kSlots = 1024;
  static constexpr std::int64_t kNever = -1;
  struct Slot {
    std::atomic<std::uint64_t> directory{0};  // 0 is no FUSE node
    std::atomic<std::int64_t> last{kNever}, other{kNever};
    std::atomic<std::uint32_t> user{0};
  };
  // Node ids are addresses or counters: their low bits alone would leave slots empty.
  [[nodiscard]] static std::size_t index(std::uint64_t directory) {
    return static_cast<std::size_t>(directory * 0x9E3779B97F4A7C15U >> 54U) % kSlots;
  }
  [[nodiscard]] Slot& of(std::uint64_t directory) { return slots_[index(directory)]; }
  [[nodiscard]] const Slot& of(std::uint64_t directory) const { return slots_[index(directory)]; }

  std::array<Slot, kSlots> slots_{};
};

}  // namespace fairfs::fs
