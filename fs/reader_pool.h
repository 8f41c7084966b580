// The threads that serve the mount, and the rule that one of them is always waiting for the next request.
#pragma once

#include <pthread.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>

namespace fairfs::fs {

/// Leader/follower without a hand-off: a few threads wait in read(2) on /dev/fuse, the kernel wakes one per request. A
/// thread calls `leave` before it does anything that can block; if it was the last one waiting, another is woken or
/// started. The count costs one atomic operation; a wake-up of ours happens only when all others are busy. Thread-safe.
class ReaderPool {
 public:
  /// Of the threads that wait the kernel wakes the one that has waited longest. With 8, one whose processor is idle is
  /// among them more often than with 4 (creates 1.2 times as many on two processors); 16 bring nothing more.
  static constexpr int kWaitingMost = 8;
  /// A thread that nobody has wanted for so long ends, with the memory that the allocator keeps for it: threads are
  /// cheap to start (10 us), and a burst has started many.
  static constexpr std::chrono::milliseconds kRestMost{10'000};

  /// `body` is run by each thread until it returns; `maximum` must exceed the number of threads that may block at once.
  ReaderPool(unsigned maximum, std::function<void()> body, std::chrono::milliseconds rest_most = kRestMost)
      : maximum_(maximum), body_(std::move(body)), rest_most_(rest_most) {}
  /// Stops: a start that failed half way leaves threads behind.
  ~ReaderPool() { stop(); }
  ReaderPool(const ReaderPool&) = delete;
  ReaderPool& operator=(const ReaderPool&) = delete;

  void start();
  /// This thread waits for requests from now on, if it is wanted.
  [[nodiscard]] bool enter();
  /// The same, but sleeps until it is wanted. False: it is to end, because all do or it was not wanted for long.
  [[nodiscard]] bool park();
  /// The same whether wanted or not, for a thread that has more to look at.
  void enter_at_once() { waiting_.fetch_add(1); }
  /// A waiting thread asks whether to go on waiting. False: it doesn't wait any more, enough others do. Never the same
  /// as `leave` and `enter`: between the two nobody would be waiting, and another thread be woken for nothing.
  [[nodiscard]] bool stay();
  /// This thread no longer waits for requests.
  void leave();
  [[nodiscard]] bool stopping() const { return stopping_.load(std::memory_order_relaxed); }
  /// Everybody out; interrupts those in read(2). Returns when all threads have ended. A second time does nothing.
  void stop();

 private:
  void add();
  void spawn_locked();
  void end_locked();
  void tell(const char* reason) const noexcept;

  const unsigned maximum_;
  const std::function<void()> body_;
  const std::chrono::milliseconds rest_most_;
  std::atomic<int> waiting_{0};
  std::atomic<bool> stopping_{false};
  std::mutex mutex_;
  std::condition_variable parked_wakeup_;
  std::condition_variable ended_;
  // All below: mutex_.
  unsigned parked_ = 0, wakeups_ = 0, running_ = 0;
  std::list<std::thread> threads_, gone_;  // the latter are past all they do, and to be joined
  bool told_ = false;  ///< that no thread could be started, since the last one was
};

}  // namespace fairfs::fs
