#include "fs/receive_loop.h"

#include <spdlog/spdlog.h>

#include <cstring>
#include <new>
#include <utility>

#include "fs/held_payloads.h"
#include "fs/identity.h"
#include "fs/serving_thread.h"

namespace fairfs::fs {

namespace {

// Threads that each kind of work may block. Urgent: closing and write-back are short unless the disk hangs, and then
// more threads would hang as well. Metadata and writes: what 32 callers do at once is more than two processors can
// start; they only wait for locks and for the disk. Apart: as deep as such a disk is used.
constexpr unsigned kUrgent = 8, kMetadata = 32, kWrite = 32, kApart = 32;

// Threads that go on receiving when there is no memory for more.
constexpr std::size_t kSpareMessages = 4;

// A drain ends here, so that a flood of requests can't keep this thread from starting what it has queued.
constexpr int kDrainMost = 256;

// A thread that has had a payload expects more: for so long, and for so many requests without one.
constexpr int kPayloadsExpected_ms = 1000;
constexpr unsigned kPayloadsExpected = 64;

/// A thread's memory. While payloads are expected it waits without any and takes what was given back last, which is
/// still in the processor's caches and may be another thread's; a thread that waits in read(2) can't be asked for its.
class Memory {
 public:
  Message message;

  Memory() { serving_thread().scratch = &scratch_; }
  ~Memory() { serving_thread().scratch = nullptr; }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  /// As Message::receive.
  long receive(const Device& device) {
    if (std::exchange(serving_thread().answered_much, false)) expect_payloads();
    if (expects_) {
      give_back();
      if (small_ < kPayloadsExpected && device.await(kPayloadsExpected_ms)) return look(device);  // 0: another has it
      expects_ = false;
    }
    return receive(device, Device::Wait::yes);
  }
  long look(const Device& device) { return receive(device, Device::Wait::no); }
  /// Of all the threads that a burst of work has started, few keep the memory they worked with.
  void give_back() {
    message.give_back_payload();
    scratch_ = {};
  }

 private:
  long receive(const Device& device, Device::Wait wait) {
    try {
      const long size = message.receive(device, wait, expects_ ? Pages::huge : Pages::ordinary);
      if (size > static_cast<long>(kSmallPayload))
        expect_payloads();
      else if (size > 0)
        ++small_;
      return size;
    } catch (const std::bad_alloc&) {
      return -ENOMEM;
    }
  }
  void expect_payloads() {
    expects_ = true;
    small_ = 0;
  }

  Buffer scratch_;
  bool expects_ = false;
  unsigned small_ = 0;  ///< requests since the last payload
};

/// The request is done with its answer: nothing that could block comes after it. Those that many threads make at once.
bool answer_is_all(const Message& message) noexcept {
  switch (message.header().opcode) {
    case FUSE_LOOKUP:
    case FUSE_GETATTR:
    case FUSE_READLINK:
    case FUSE_OPEN:
    case FUSE_OPENDIR:
    case FUSE_READDIRPLUS:
    case FUSE_GETXATTR:
      return true;
    default:
      return false;
  }
}

}  // namespace

ReceiveLoop::ReceiveLoop(const Device& device, engine::Engine& engine, Handler handler, unsigned depth)
    : device_(device),
      engine_(engine),
      handler_(std::move(handler)),
      lanes_{Lane{kUrgent}, Lane{kMetadata}, Lane{kWrite}, Lane{kApart}},
      postponed_([this](const engine::Caller& caller) { return engine_.metadata_delay(caller); }, handler_),
      // A thread for each permit and each slot, and one that waits: then one always does.
      readers_(kUrgent + kMetadata + kWrite + kApart + depth + 1, [this] { serve(); }) {
  BufferPool::instance().lay_by(kSpareMessages, kMessageStart + kMessageMax);
}

void ReceiveLoop::serve() {
  identity::prepare_thread();
  HeldPayloads& payloads = HeldPayloads::instance();
  Memory memory;
  Message& message = memory.message;
  bool waits = false;
  for (;;) {
    if (!waits && !readers_.enter()) {
      memory.give_back();
      if (!readers_.park()) return;
    }
    const long size = memory.receive(device_);
    if (size < 0) {
      readers_.leave();
      return end(static_cast<int>(-size));
    }
    bool submitted = size > 0 && dispatch(message, false);
    if (payloads.full()) {
      // Nobody else is woken to take this one's place: what the kernel has waits there.
      if (std::exchange(submitted, false)) engine_.kick();
      payloads.wait_for_room([this] { return readers_.stopping(); });
    }
    if (!submitted) {
      waits = readers_.stay();
      continue;
    }
    for (int i = 0; i < kDrainMost && !payloads.full() && memory.look(device_) > 0; ++i)
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
  ServingThread& thread = serving_thread();
  thread.apart = kind == LaneKind::apart;
  thread.returns_to = answer_is_all(message) ? &readers_ : nullptr;
  const bool returns = thread.returns_to != nullptr;
  handler_(message);
  bool away = !returns || std::exchange(thread.returns_to, nullptr) != nullptr;
  while (auto next = lane.next()) {
    if (!std::exchange(away, true)) readers_.leave();
    handler_(*next);
  }
  if (away) readers_.enter_at_once();
  return false;
}

void ReceiveLoop::end(int error) {
  int alive = 0;
  if (!ended_.compare_exchange_strong(alive, error)) return;
  if (error != ENODEV) spdlog::error("reading from the kernel: {}", std::strerror(error));
  if (on_end) on_end();
}

}  // namespace fairfs::fs
