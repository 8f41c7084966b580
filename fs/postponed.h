// Look-ups whose callers owe for earlier ones: they wait here, and no thread waits with them.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include "fs/directory_use.h"
#include "fs/message.h"
#include "sched/engine/job.h"

namespace fairfs::fs {

/// Thread-safe. Owns a few threads, started when they are first needed, on which postponed messages are answered: if
/// those block, only other debtors wait.
class Postponed {
 public:
  using Handler = std::function<void(Message&)>;
  /// How long a caller's next look-up is to wait: Engine::metadata_delay.
  using DelayOf = std::function<sched::Duration(const engine::Caller&)>;
  static constexpr unsigned kThreads = 8;

  Postponed(DelayOf delay_of, Handler handler) : delay_of_(std::move(delay_of)), handler_(std::move(handler)) {}
  ~Postponed() { stop(); }
  Postponed(const Postponed&) = delete;
  Postponed& operator=(const Postponed&) = delete;

  /// True: it is a look-up of somebody who owes, in a directory that nobody else has used lately (directory_use.h); it
  /// was copied and is answered later. Called with every message that is about names.
  [[nodiscard]] bool take(const Message& message);
  /// Answers what still waits at once, and ends the threads. Nothing is taken afterwards.
  void stop();

 private:
  using Clock = std::chrono::steady_clock;
  struct Waiting {
    Clock::time_point due;
    Message message;
  };
  struct Later {
    bool operator()(const Waiting& one, const Waiting& other) const { return one.due > other.due; }
  };

  void serve();

  const DelayOf delay_of_;
  const Handler handler_;
  DirectoryUse directories_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // All below: mutex_.
  std::vector<Waiting> waiting_;  // a heap, the first due on top
  unsigned idle_ = 0;             // threads that wait for something to be due
  bool stopping_ = false;
  std::list<std::thread> threads_;
};

}  // namespace fairfs::fs
