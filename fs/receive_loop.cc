#include "fs/receive_loop.h"

#include <spdlog/spdlog.h>

#include <cstring>
#include <new>

#include "fs/identity.h"
#include "fs/serving_thread.h"

namespace fairfs::fs {

namespace {

// Threads that each kind of work may block. Urgent: closing and write-back are short unless the disk hangs, and then
// more threads would hang as well. Metadata and writes: what 32 callers do at once is more than two processors can
// start; they only wait for locks and for the disk.
constexpr unsigned kUrgent = 8, kMetadata = 32, kWrite = 32;

// A drain ends here, so that a flood of requests can't keep this thread from starting what it has queued.
constexpr int kDrainMost = 256;

}  // namespace

ReceiveLoop::ReceiveLoop(const Device& device, engine::Engine& engine, Handler handler, unsigned depth)
    : device_(device),
      engine_(engine),
      handler_(std::move(handler)),
      lanes_{Lane{kUrgent}, Lane{kMetadata}, Lane{kWrite}},
      postponed_([this](const engine::Caller& caller) { return engine_.metadata_delay(caller); }, handler_),
      // A thread for each permit and each slot, and one that waits: then one always does.
      readers_(kUrgent + kMetadata + kWrite + depth + 1, [this] { serve(); }) {}

void ReceiveLoop::serve() {
  identity::prepare_thread();
  Message message;
  bool waits = false;
  for (;;) {
    if (!waits && !readers_.enter()) {
      // Of all the threads that a burst of work has started, few keep the memory they worked with.
      message.give_back_payload();
      serving_thread().scratch = {};
      if (!readers_.park()) return;
    }
    const long size = [&] {
      try {
        return message.receive(device_, Device::Wait::yes);
      } catch (const std::bad_alloc&) {
        return -static_cast<long>(ENOMEM);
      }
    }();
    if (size < 0) {
      readers_.leave();
      return end(static_cast<int>(-size));
    }
    bool submitted = size > 0 && dispatch(message, false);
    if (!submitted) {
      waits = readers_.stay();
      continue;
    }
    for (int i = 0; i < kDrainMost && message.receive(device_, Device::Wait::no) > 0; ++i)
      submitted = dispatch(message, submitted) || submitted;
    readers_.leave();
    waits = false;
    engine_.run();
    serving_thread().blocks_read = -1;  // there may be reads of the disk among what it ran
  }
}

bool ReceiveLoop::dispatch(Message& message, bool submitted) {
  if (message.header().opcode == FUSE_INTERRUPT) return false;  // killed callers are looked for by the engine
  const LaneKind kind = lane_of(message);
  if (kind == LaneKind::data) {
    serving_thread().submitted = false;
    handler_(message);
    return serving_thread().submitted;
  }
  if (kind == LaneKind::metadata && postponed_.take(message)) return false;
  Lane& lane = lanes_[static_cast<std::size_t>(kind)];
  if (!lane.enter(message)) return false;
  readers_.leave();
  if (submitted) engine_.kick();  // what this thread has queued must not wait for what it does now
  handler_(message);
  while (auto next = lane.next()) handler_(*next);
  readers_.enter_at_once();
  return false;
}

void ReceiveLoop::end(int error) {
  int alive = 0;
  if (!ended_.compare_exchange_strong(alive, error)) return;
  if (error != ENODEV) spdlog::error("reading from the kernel: {}", std::strerror(error));
  if (on_end) on_end();
}

}  // namespace fairfs::fs
