// The kernel's end of the mount: /dev/fuse, twice. One descriptor waits for requests, its clone only looks.
#pragma once

#include <cstddef>
#include <cstdint>

#include "fs/unique_fd.h"

namespace fairfs::fs {

/// Thread-safe. Both descriptors serve one connection; the kernel wants an answer on the descriptor that the request
/// came from. Waiting readers are woken one at a time by the kernel, so that any number of threads may wait: that is
/// the cheapest hand-over there is (no wake-up of ours in between).
class Device {
 public:
  enum class Wait : std::uint8_t { yes, no };
  /// Which descriptor a request came from, and so where its answer must go.
  using Origin = int;

  /// Opens /dev/fuse, unconnected. Throws std::system_error.
  static Device open();
  /// Takes a connected descriptor over (an ordinary user's mount, made by fusermount3).
  static Device adopt(UniqueFd connected);

  /// The descriptor to give to mount(2).
  [[nodiscard]] int descriptor() const { return waiting_.get(); }
  /// After the mount: makes the clone and what `await` needs. Throws std::system_error.
  void connect();

  /// Closes every descriptor of every connection that this process has. Threads waiting in one don't notice.
  static void close_all() noexcept;

  /// One message into `buffer`: its size; 0 when there is none (Wait::no) or a signal came; -errno otherwise, -ENODEV
  /// when the filesystem is unmounted.
  [[nodiscard]] long receive(void* buffer, std::size_t capacity, Wait wait, Origin& origin) const noexcept;
  /// Waits for a message without memory to read it into; false when there is none for `limit_ms`. Of all who wait here
  /// or in `receive` one is woken, so that a message may be another's by now: look with Wait::no.
  [[nodiscard]] bool await(int limit_ms) const noexcept;

 private:
  UniqueFd waiting_;
  UniqueFd looking_;
  UniqueFd readiness_;  ///< epoll(7) on the clone
};

}  // namespace fairfs::fs
