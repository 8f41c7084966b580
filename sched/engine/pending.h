// A job on its way through the engine.
#pragma once

#include <libaio.h>

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
  Pending *previous = nullptr, *next = nullptr;  ///< in the queue
};

/// Queued requests, oldest first. Doubly linked through the requests: the scheduler takes them out in any order.
class PendingQueue {
 public:
  void push(Pending& pending) {
    pending.previous = last_;
    (last_ != nullptr ? last_->next : first_) = &pending;
    last_ = &pending;
  }
  void remove(Pending& pending) {
    (pending.previous != nullptr ? pending.previous->next : first_) = pending.next;
    (pending.next != nullptr ? pending.next->previous : last_) = pending.previous;
    pending.previous = pending.next = nullptr;
  }
  [[nodiscard]] Pending* first() const { return first_; }

 private:
  Pending *first_ = nullptr, *last_ = nullptr;
};

}  // namespace fairfs::engine
