// From the kernel to the handlers: drains what waits, hands the reader's role on, lets the engine decide what comes
// next.
#pragma once

#include <array>
#include <atomic>
#include <functional>

#include "fs/lane.h"
#include "fs/postponed.h"
#include "fs/reader_pool.h"
#include "sched/engine/engine.h"

namespace fairfs::fs {

/// Each serving thread: wait for a message; handle it and all that the kernel has besides, so that the backlog stands
/// in the scheduler and not in the kernel; only then let the engine start what is next.
class ReceiveLoop {
 public:
  /// Answers one message, on the calling thread; data requests are only submitted to the engine.
  using Handler = std::function<void(Message&)>;

  ReceiveLoop(const Device& device, engine::Engine& engine, Handler handler, unsigned depth);
  /// Starts the threads.
  void start() { readers_.start(); }
  /// Ends the threads; the requests they hold are finished first.
  void stop() {
    readers_.stop();
    postponed_.stop();
  }

  /// Set when a thread met the end of the connection: 0 while it lives, ENODEV after an unmount, else what went wrong.
  [[nodiscard]] int ended() const { return ended_.load(); }
  /// Called, from a serving thread, when `ended` becomes non-zero.
  std::function<void()> on_end;

 private:
  void serve();
  /// Handles one; true when it was left with the scheduler.
  bool dispatch(Message& message, bool submitted);
  void end(int error);

  const Device& device_;
  engine::Engine& engine_;
  const Handler handler_;
  std::array<Lane, 4> lanes_;  // by LaneKind; data has none
  Postponed postponed_;
  ReaderPool readers_;
  std::atomic<int> ended_{0};
};

}  // namespace fairfs::fs
