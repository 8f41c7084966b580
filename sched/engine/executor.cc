#include "sched/engine/executor.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <utility>

namespace fairfs::engine {
namespace {
// A thread costs about 10 us to make and next to nothing to keep: it stays through pauses of ordinary work, not for
// ever.
constexpr std::chrono::seconds kIdleMax{10};
}  // namespace

Executor::Executor(std::size_t threads_max, Work work) : threads_max_(threads_max), work_(std::move(work)) {
  left_.reserve(threads_max);
  const std::lock_guard lock{mutex_};
  if (add_thread()) ++available_;
}

Executor::~Executor() {
  std::list<std::thread> threads;
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
    threads.swap(threads_);
  }
  posted_.notify_all();
  for (std::thread& thread : threads) thread.join();
}

void Executor::post(PendingQueue work) noexcept {
  if (work.empty()) return;
  std::list<std::thread> ended;
  std::size_t wake;
  {
    const std::lock_guard lock{mutex_};
    take_left(ended);
    wake = std::min(available_, work.size());
    queue_.append(work);
    while (queue_.size() > available_ && threads_.size() < threads_max_ && add_thread()) ++available_;
  }
  while (wake-- > 0) posted_.notify_one();
  for (std::thread& thread : ended) thread.join();  // they hold no lock and have nothing left to do
}

bool Executor::idle() const {
  const std::lock_guard lock{mutex_};
  return queue_.empty();
}

void Executor::take_left(std::list<std::thread>& ended) {
  for (const std::thread::id id : left_) {
    const auto thread = std::find_if(threads_.begin(), threads_.end(), [id](auto& t) { return t.get_id() == id; });
    ended.splice(ended.end(), threads_, thread);
  }
  left_.clear();
}

bool Executor::add_thread() try {
  threads_.emplace_back([this] { serve(); });
  told_ = false;
  return true;
} catch (const std::exception& error) {  // of the system, or no memory
  if (threads_.empty()) throw;  // at the beginning: nobody would ever do it
  if (!std::exchange(told_, true)) tell(error.what());
  return false;
}

void Executor::tell(const char* reason) const noexcept try {
  spdlog::warn("no further thread for blocking I/O ({}); going on with {}", reason, threads_.size());
} catch (const std::exception&) {  // nor memory to say so
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
    Pending& pending = queue_.pop();
    lock.unlock();
    work_(pending);
    lock.lock();
    ++available_;
  }
}

}  // namespace fairfs::engine
