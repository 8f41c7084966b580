// Memory for payloads: page-aligned, reused, counted.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

namespace fairfs::fs {

/// Largest payload of one request, each way: 256 pages, the kernel's own limit (max_pages_limit).
inline constexpr std::size_t kPayloadMax = std::size_t{1} << 20;

/// How the system is asked for large blocks. A huge page is zeroed whole at its first touch (100 us and more), and
/// makes one segment for the disk instead of 256.
enum class Pages : bool {
  ordinary,  ///< for memory that is rarely used to its end; never kept for reuse, so that it comes untouched
  huge       ///< for payloads
};

/// Names, attributes and small reads and writes: memory that had no more in it isn't worth giving back.
inline constexpr std::size_t kSmallPayload = 64 * 1024;

/// A block of page-aligned memory, or none. Movable; gives itself back.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = static_cast<Buffer&&>(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer() { release(); }

  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] Pages pages() const { return pages_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class BufferPool;
  Buffer(char* data, std::size_t capacity, Pages pages) : data_(data), capacity_(capacity), pages_(pages) {}
  void release() noexcept;

  char* data_ = nullptr;
  std::size_t capacity_ = 0;
  Pages pages_ = Pages::huge;
};

/// Where buffers come from and go back to. Thread-safe. Keeps a bounded number of each size for reuse, since the first
/// touch of fresh memory costs more than the copy into it; `trim`, called now and then, makes that what is needed.
class BufferPool {
 public:
  static BufferPool& instance();
  /// At least `size` bytes; throws std::bad_alloc.
  [[nodiscard]] Buffer take(std::size_t size, Pages pages = Pages::huge);
  /// For what can't wait: memory of `lay_by` where `take` has none. Throws std::bad_alloc when that is used up.
  [[nodiscard]] Buffer take_spare(std::size_t size);
  /// Lays `count` blocks of ordinary pages by, of at least `size` bytes each: once, for `take_spare`. What it takes is
  /// replaced by what is given back next. Throws std::bad_alloc.
  void lay_by(std::size_t count, std::size_t size);
  /// Some of them are in use: who has memory that he doesn't need gives it back.
  [[nodiscard]] bool is_short() const noexcept { return spares_missing_.load(std::memory_order_relaxed) != 0; }
  /// Gives back to the system what has been kept unused since the last call.
  void trim() noexcept;
  /// Bytes handed out now, and kept for reuse.
  [[nodiscard]] std::size_t in_use() const;
  [[nodiscard]] std::size_t kept() const;

 private:
  friend class Buffer;
  // Powers of two from 4 KiB to 2 MiB (a message with the largest payload and its header).
  static constexpr unsigned kSmallest = 12, kClasses = 10;
  static constexpr std::size_t kKeptBytes = std::size_t{32}
                                            << 20;  // of each size: 32 readers' worth of the largest payload

  /// The last given back is the first taken: what lies below was not needed.
  struct Kept {
    std::vector<char*> blocks;
    std::size_t least = 0;  ///< blocks there were at all times since the last trim
  };

  void give_back(char* data, std::size_t capacity, Pages pages) noexcept;
  /// Where blocks of this kind are kept; null: they are not. Guarded by mutex_.
  Kept* kept_of(std::size_t capacity, Pages pages) noexcept;

  mutable std::mutex mutex_;
  // Guarded by mutex_.
  Kept free_[kClasses];
  std::size_t in_use_ = 0;
  std::vector<char*> spares_;  // with room for all
  std::size_t spare_size_ = 0;
  std::atomic<std::size_t> spares_missing_{0};  // changed under mutex_
};

}  // namespace fairfs::fs
