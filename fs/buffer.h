// Memory for payloads: page-aligned, reused, counted.
#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

namespace fairfs::fs {

/// Largest payload of one request, each way: 256 pages, the kernel's own limit (max_pages_limit).
inline constexpr std::size_t kPayloadMax = std::size_t{1} << 20;

/// A block of page-aligned memory, or none. Movable; gives itself back.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { *this = static_cast<Buffer&&>(other); }
  Buffer& operator=(Buffer&& other) noexcept;
  ~Buffer() { release(); }

  [[nodiscard]] char* data() const { return data_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  explicit operator bool() const { return data_ != nullptr; }

 private:
  friend class BufferPool;
  Buffer(char* data, std::size_t capacity) : data_(data), capacity_(capacity) {}
  void release() noexcept;

  char* data_ = nullptr;
  std::size_t capacity_ = 0;
};

/// Where buffers come from and go back to. Thread-safe. Keeps a bounded number of each size for reuse, since the first
/// touch of fresh memory costs more than the copy into it.
class BufferPool {
 public:
  static BufferPool& instance();
  /// At least `size` bytes; throws std::bad_alloc.
  [[nodiscard]] Buffer take(std::size_t size);
  /// Bytes handed out now.
  [[nodiscard]] std::size_t in_use() const;

 private:
  friend class Buffer;
  // Powers of two from 4 KiB to 2 MiB (a message with the largest payload and its header).
  static constexpr unsigned kSmallest = 12, kClasses = 10;
  static constexpr std::size_t kKeptBytes = std::size_t{32}
                                            << 20;  // of each size: 32 readers' worth of the largest payload

  void give_back(char* data, std::size_t capacity) noexcept;

  mutable std::mutex mutex_;
  std::vector<char*> free_[kClasses];
  std::size_t in_use_ = 0;
};

}  // namespace fairfs::fs
