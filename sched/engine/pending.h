// A job on its way through the engine.
#pragma once

#include <libaio.h>

#include <cstddef>
#include <memory>

#include "sched/engine/flow.h"
#include "sched/engine/job.h"
#include "sched/engine/trace.h"
#include "sched/types.h"

namespace fairfs::engine {

/// Queued, dispatched or ended; in exactly one place at any time, whose thread or lock it then belongs to.
struct Pending {
  std::unique_ptr<Job> job;
  std::shared_ptr<Flow> flow;
  sched::RequestId id{};
  sched::Time submitted{}, dispatched{};
  ssize_t result = 0;  ///< bytes or -errno, once ended
  TraceReason reason = TraceReason::share;
  iocb block{};
  Pending *previous = nullptr, *next = nullptr;  ///< in the list that it is in
};

/// Requests in the same place, oldest first. Doubly linked through them: the scheduler takes them out in any order, and
/// no step on a request's way needs memory that might not be there.
class PendingQueue {
 public:
  PendingQueue() = default;
  explicit PendingQueue(Pending& only) { push(only); }
  PendingQueue(PendingQueue&& other) noexcept { append(other); }
  PendingQueue& operator=(PendingQueue&& other) noexcept {
    clear();
    append(other);
    return *this;
  }

  void push(Pending& pending) {
    pending.previous = last_;
    (last_ != nullptr ? last_->next : first_) = &pending;
    last_ = &pending;
    ++size_;
  }
  void remove(Pending& pending) {
    (pending.previous != nullptr ? pending.previous->next : first_) = pending.next;
    (pending.next != nullptr ? pending.next->previous : last_) = pending.previous;
    pending.previous = pending.next = nullptr;
    --size_;
  }
  /// The first, taken out; there is one.
  Pending& pop() {
    Pending& pending = *first_;
    remove(pending);
    return pending;
  }
  /// Takes all that are in `other`, behind its own.
  void append(PendingQueue& other) {
    if (other.empty()) return;
    other.first_->previous = last_;
    (last_ != nullptr ? last_->next : first_) = other.first_;
    last_ = other.last_;
    size_ += other.size_;
    other.clear();
  }
  [[nodiscard]] Pending* first() const { return first_; }
  [[nodiscard]] bool empty() const { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  void clear() {
    first_ = last_ = nullptr;
    size_ = 0;
  }

  Pending *first_ = nullptr, *last_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace fairfs::engine
