#include "fs/reader_pool.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

namespace fairfs::fs {

namespace {

// Only to interrupt a read(2): SIGURG is ignored unless somebody asks for it, and nobody else here does.
constexpr int kInterrupt = SIGURG;

void install_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) {};
  ::sigaction(kInterrupt, &action, nullptr);  // no SA_RESTART: the read must return
}

}  // namespace

void ReaderPool::start() {
  install_interrupt();
  const std::lock_guard lock{mutex_};
  for (int i = 0; i < kWaitingMost; ++i) spawn_locked();
}

void ReaderPool::spawn_locked() {
  for (std::thread& thread : gone_) thread.join();
  gone_.clear();
  ++running_;
  try {
    threads_.emplace_back([this] {
      body_();
      const std::lock_guard lock{mutex_};
      end_locked();
    });
    told_ = false;
  } catch (const std::exception& error) {
    --running_;
    if (running_ == 0) throw;  // at the start: nobody would serve
    if (!std::exchange(told_, true)) tell(error.what());
  }
}

void ReaderPool::end_locked() {
  const auto self = std::find_if(threads_.begin(), threads_.end(),
                                 [](auto& thread) { return thread.get_id() == std::this_thread::get_id(); });
  gone_.splice(gone_.end(), threads_, self);
  --running_;
  ended_.notify_all();
}

void ReaderPool::tell(const char* reason) const noexcept try {
  spdlog::warn("starting another thread: {}; requests wait for the {} there are", reason, running_);
} catch (const std::exception&) {  // nor memory to say so
}

bool ReaderPool::enter() {
  int waiting = waiting_.load(std::memory_order_relaxed);
  while (waiting < kWaitingMost && !stopping_.load(std::memory_order_relaxed)) {
    if (waiting_.compare_exchange_weak(waiting, waiting + 1)) return true;
  }
  return false;
}

bool ReaderPool::park() {
  std::unique_lock lock{mutex_};
  ++parked_;
  // A thread between its look in `enter` and this lock is not yet parked for `add`: so look again under the lock.
  const bool wanted = parked_wakeup_.wait_for(
      lock, rest_most_, [this] { return wakeups_ > 0 || waiting_.load() < 1 || stopping_.load(); });
  --parked_;
  if (wakeups_ > 0) --wakeups_;
  if (!wanted || stopping_.load()) return false;
  waiting_.fetch_add(1);
  return true;
}

bool ReaderPool::stay() {
  int waiting = waiting_.load(std::memory_order_relaxed);
  while (waiting > kWaitingMost || stopping_.load(std::memory_order_relaxed)) {
    if (waiting_.compare_exchange_weak(waiting, waiting - 1)) return false;
  }
  return true;
}

void ReaderPool::leave() {
  if (waiting_.fetch_sub(1) == 1) add();
}

void ReaderPool::add() {
  const std::lock_guard lock{mutex_};
  if (stopping_.load() || waiting_.load() > 0) return;  // somebody came back meanwhile
  if (parked_ > wakeups_) {
    ++wakeups_;
    parked_wakeup_.notify_one();
  } else if (running_ < maximum_) {
    spawn_locked();
  }
}

void ReaderPool::stop() {
  std::unique_lock lock{mutex_};
  stopping_.store(true);
  parked_wakeup_.notify_all();
  // A signal that comes just before the read is lost, hence again and again until the thread is gone.
  while (running_ > 0) {
    for (std::thread& thread : threads_) ::pthread_kill(thread.native_handle(), kInterrupt);
    ended_.wait_for(lock, std::chrono::milliseconds{20});
  }
  for (std::thread& thread : gone_) thread.join();
  gone_.clear();
}

}  // namespace fairfs::fs
