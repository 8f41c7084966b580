// Memory of writes that have been received and wait: for their turn, or for a thread.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

namespace fairfs::fs {

/// Counts it for the whole process. Thread-safe.
class HeldPayloads {
 public:
  /// From here on nothing more is received: 128 of the largest requests, each in a huge page.
  static constexpr std::size_t kMost = std::size_t{256} << 20;

  static HeldPayloads& instance();

  /// Some bytes, counted for as long as it lives. Movable; not thread-safe.
  class Part {
   public:
    Part() = default;
    explicit Part(std::size_t bytes) : bytes_(bytes) { instance().add(bytes); }
    Part(Part&& other) noexcept : bytes_(std::exchange(other.bytes_, 0)) {}
    Part& operator=(Part&& other) noexcept {
      std::swap(bytes_, other.bytes_);
      return *this;
    }
    ~Part() {
      if (bytes_ != 0) instance().remove(bytes_);
    }

   private:
    std::size_t bytes_ = 0;
  };

  [[nodiscard]] std::size_t bytes() const { return bytes_.load(std::memory_order_relaxed); }
  [[nodiscard]] bool full() const { return bytes() >= kMost; }
  /// Returns when it isn't full, or within a tenth of a second once `ending` says so.
  void wait_for_room(const std::function<bool()>& ending);

 private:
  void add(std::size_t bytes) { bytes_.fetch_add(bytes, std::memory_order_relaxed); }
  void remove(std::size_t bytes);

  std::atomic<std::size_t> bytes_{0};
  std::mutex mutex_;  // only for those who wait
  std::condition_variable room_;
};

}  // namespace fairfs::fs
