#include "sched/engine/executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <system_error>

namespace fairfs::engine {
namespace {
// A thread costs about 10 us to make and next to nothing to keep: it stays through pauses of ordinary work, not for
// ever.
constexpr std::chrono::seconds kIdleMax{10};
}  // namespace

Executor::Executor(std::size_t threads_max, Work work) : threads_max_(threads_max), work_(std::move(work)) {
  const std::lock_guard lock{mutex_};
  if (add_thread()) ++available_;
}

Executor::~Executor() {
  std::vector<std::thread> threads;
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    threads.swap(threads_);
  }
  posted_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void Executor::post(std::span<Pending* const> work) {
  if (work.empty()) return;
  std::vector<std::thread> ended;
  std::size_t wake;
  {
    const std::lock_guard lock{mutex_};
    for (const std::thread::id id : left_) {
      const auto thread = std::find_if(threads_.begin(), threads_.end(), [id](auto& t) { return t.get_id() == id; });
      ended.push_back(std::move(*thread));
      threads_.erase(thread);
    }
    left_.clear();
    queue_.insert(queue_.end(), work.begin(), work.end());
    wake = std::min(available_, work.size());
    while (queue_.size() > available_ && threads_.size() < threads_max_ && add_thread()) ++available_;
  }
  while (wake-- > 0) posted_.notify_one();
  for (std::thread& thread : ended) thread.join();  // they hold no lock and have nothing left to do
}

bool Executor::idle() const {
  const std::lock_guard lock{mutex_};
  return queue_.empty();
}

bool Executor::add_thread() try {
  threads_.emplace_back([this] { serve(); });
  return true;
} catch (const std::system_error& error) {
  if (threads_.empty()) throw;  // at the beginning: nobody would ever do it
  spdlog::warn("no further thread for blocking I/O ({}); going on with {}", error.what(), threads_.size());
  return false;
}

void Executor::serve() {
  std::unique_lock lock{mutex_};
  for (;;) {
    const bool woken = posted_.wait_for(lock, kIdleMax, [this] { return !queue_.empty() || stopping_; });
    if (!woken && threads_.size() - left_.size() == 1) continue;  // the last one stays
    --available_;
    if (queue_.empty()) {
      if (!woken) left_.push_back(std::this_thread::get_id());
      return;
    }
    Pending* const pending = queue_.front();
    queue_.pop_front();
    lock.unlock();
    work_(*pending);
    lock.lock();
    ++available_;
  }
}

}  // namespace fairfs::engine
