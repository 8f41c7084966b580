// What a serving thread is busy with. libfuse's handlers get no word of the message they come from, so it stands here.
#pragma once

#include <type_traits>

#include "fs/device.h"
#include "fs/message.h"

namespace fairfs::fs {

class ReaderPool;

/// One per thread, only used by its own.
struct ServingThread {
  /// Where answers given on this thread go. A job that ends on another thread sets it first.
  Device::Origin reply_to = -1;
  /// The message being handled; null once a write that must wait has taken its memory.
  Message* message = nullptr;
  /// Set by a handler that left something with the engine.
  bool submitted = false;
  /// Set for a request after whose answer nothing blocks: with the answer this thread counts as waiting there again,
  /// and this becomes null.
  ReaderPool* returns_to = nullptr;
  /// The file lies on another disk than the source: what is done to it costs nobody here anything.
  bool apart = false;
  /// Blocks that the thread has read from disks when it was last looked at (disk_wait.h); negative: look anew.
  long blocks_read = -1;
  /// For answers made and sent on this thread; null on threads that have none. Not here: what is thread_local and has a
  /// destructor needs memory when a thread starts, and the C library ends the process where there is none.
  Buffer* scratch = nullptr;
  /// Set when more than kSmallPayload of `scratch` was filled.
  bool answered_much = false;
};

inline ServingThread& serving_thread() {
  static_assert(std::is_trivially_destructible_v<ServingThread>);
  thread_local ServingThread thread;
  return thread;
}

}  // namespace fairfs::fs
