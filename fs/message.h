// One request as it came from the kernel, in the memory it came into.
#pragma once

#include <linux/fuse.h>

#include <cstddef>
#include <cstring>
#include <new>

#include "fs/buffer.h"
#include "fs/device.h"

namespace fairfs::fs {

/// Where a message starts in its buffer: a WRITE's payload, behind its two headers, then lies on a page's border, so
/// that it can go to the disk (O_DIRECT) without a copy.
inline constexpr std::size_t kMessageStart = 4096 - sizeof(fuse_in_header) - sizeof(fuse_write_in);
/// What the kernel wants room for, at least.
inline constexpr std::size_t kMessageMax = kPayloadMax + 4096;

/// Movable. Not thread-safe.
class Message {
 public:
  /// Reads the next message; takes memory of `pages` when there is none of that kind. As Device::receive.
  long receive(const Device& device, Device::Wait wait, Pages pages = Pages::ordinary) {
    if (!buffer_ || buffer_.pages() != pages) take_memory(pages);
    const long size = device.receive(data(), kMessageMax, wait, origin_);
    size_ = size > 0 ? static_cast<std::size_t>(size) : 0;
    if (size_ > kSmallPayload) filled_ = true;
    return size;
  }
  /// Of a thread that rests: gives the memory back if there is much of it, or little elsewhere.
  void give_back_payload() {
    if (buffer_ && (filled_ || buffer_.pages() == Pages::huge || BufferPool::instance().is_short())) *this = {};
  }
  /// A copy in memory of its own size, for one that must wait while this buffer takes the next.
  [[nodiscard]] Message copy() const {
    Message message;
    message.buffer_ = BufferPool::instance().take(kMessageStart + size_);
    message.size_ = size_;
    message.origin_ = origin_;
    std::memcpy(message.data(), data(), size_);
    return message;
  }
  /// Hands the memory over, e.g. to a write that has to wait; pointers into it stay good. The next `receive` takes new.
  [[nodiscard]] Buffer release_buffer() { return static_cast<Buffer&&>(buffer_); }

  [[nodiscard]] char* data() const { return buffer_.data() + kMessageStart; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] Device::Origin origin() const { return origin_; }
  [[nodiscard]] const fuse_in_header& header() const { return *reinterpret_cast<const fuse_in_header*>(data()); }
  /// What follows the header.
  template <typename Body>
  [[nodiscard]] const Body& body() const {
    return *reinterpret_cast<const Body*>(data() + sizeof(fuse_in_header));
  }

 private:
  /// What it has is kept where there is no other, whatever its kind.
  void take_memory(Pages pages) {
    constexpr std::size_t kSize = kMessageStart + kMessageMax;
    try {
      buffer_ = BufferPool::instance().take(kSize, pages);
      filled_ = false;
    } catch (const std::bad_alloc&) {
      if (!buffer_) buffer_ = BufferPool::instance().take_spare(kSize);
    }
  }

  Buffer buffer_;
  bool filled_ = false;  ///< there was a payload in this memory
  std::size_t size_ = 0;
  Device::Origin origin_ = -1;
};

}  // namespace fairfs::fs
