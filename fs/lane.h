// Who may block how many threads: each kind of work has a lane of its own, so that none can use up the others' threads.
#pragma once

#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>

#include "fs/held_payloads.h"
#include "fs/message.h"

namespace fairfs::fs {

enum class LaneKind : std::uint8_t {
  urgent,    ///< FORGET, RELEASE, the kernel's own write-back: nobody else's work may keep it waiting
  metadata,  ///< may block on the disk, is never scheduled
  write,     ///< buffered writes: may block on an inode's lock or on the kernel's dirty limit
  apart,     ///< whatever is asked of files on other disks than the source's: may block on those
  data       ///< only submits to the scheduler; never blocks, so it needs no permit
};

/// Decides by the raw header; the handle behind a WRITE says whether it is scheduled.
[[nodiscard]] LaneKind lane_of(const Message& message) noexcept;

/// Permits for one lane. Thread-safe. A message without a permit waits here, copied, until a thread of the lane is
/// done.
class Lane {
 public:
  explicit Lane(unsigned limit) : limit_(limit) {}

  /// True: go on, and call `next` afterwards. False: it waits here. Without memory to wait in it goes on, too.
  [[nodiscard]] bool enter(const Message& message);
  /// The permit's next message; none when the permit is given back.
  [[nodiscard]] std::optional<Message> next();

  [[nodiscard]] unsigned limit() const { return limit_; }

 private:
  const unsigned limit_;
  std::mutex mutex_;
  unsigned taken_ = 0;
  struct Waiting {
    Message message;
    HeldPayloads::Part held;
  };
  std::deque<Waiting> waiting_;
};

}  // namespace fairfs::fs
