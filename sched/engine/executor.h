// Threads for work that blocks: as many as there is such work, up to a limit.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "sched/engine/pending.h"

namespace fairfs::engine {

/// Thread-safe. First come, first served.
class Executor {
 public:
  using Work = std::function<void(Pending&)>;

  /// At most `threads_max` threads call `work`. One is there from now on: when memory is short later, it has to do.
  /// Throws std::system_error.
  Executor(std::size_t threads_max, Work work);
  /// Does what is queued first.
  ~Executor();
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  void post(PendingQueue work) noexcept;
  /// Nothing waits for a thread.
  [[nodiscard]] bool idle() const;

 private:
  void serve();
  [[nodiscard]] bool add_thread();             // under mutex_
  void tell(const char* reason) const noexcept;
  void take_left(std::list<std::thread>& ended);  // under mutex_

  const std::size_t threads_max_;
  const Work work_;
  mutable std::mutex mutex_;
  std::condition_variable posted_;
  // Guarded by mutex_.
  PendingQueue queue_;
  std::list<std::thread> threads_;
  std::vector<std::thread::id> left_;  // ended by themselves, to be joined; room for all
  std::size_t available_ = 0;          // threads that look into the queue next, new ones included
  bool stopping_ = false;
  bool told_ = false;  // that there is no further thread, since the last one came
};

}  // namespace fairfs::engine
