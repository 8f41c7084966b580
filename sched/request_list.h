// The requests the core holds, and lists of them that cost no allocation.
#pragma once

#include <cstdint>

#include "sched/node.h"
#include "sched/slab.h"
#include "sched/types.h"

namespace fairfs::sched {

/// One cache line a request.
struct alignas(64) HeldRequest {
  enum class State : std::uint8_t { unused, queued, in_flight };
  struct Links {
    std::uint32_t next = kNoIndex, previous = kNoIndex;
  };

  std::uint64_t inode = 0, offset = 0, bytes = 0, cookie = 0;
  Time submitted{};
  std::uint32_t flow = kNoIndex;  ///< node
  Links in_flow;                  ///< the flow's queue
  Links by_age;                   ///< those that wait for their age, of all flows
  Operation operation{};
  State state = State::unused;
  bool aged : 1 = false;         ///< is in the list by age
  bool buffered : 1 = false;     ///< the write gate applies
  bool sequential : 1 = false;   ///< it was charged as one; once in flight
  bool limited : 1 = false;      ///< its flow, or a node above, has a ceiling
  bool promised : 1 = false;     ///< its flow, or a node above, has a latency; once in flight
  bool guest : 1 = false;        ///< beside a higher class; once in flight
  bool met : 1 = false;          ///< something of a lower class was in the disk, or injected, when it started
  std::uint8_t service : 2 = 0;  ///< class; once in flight
  bool injected : 1 = false;     ///< while the disk was held for another flow; once in flight
  bool by_itself : 1 = false;    ///< it found nothing in the disk but what was injected

  /// Once it is in flight nobody asks for its place any more: there stands when it was dispatched, and its cost.
  void start(Time now, std::uint64_t cost) {
    inode = static_cast<std::uint64_t>(now.time_since_epoch().count());
    offset = cost;
  }
  [[nodiscard]] std::uint64_t cost() const { return offset; }
  [[nodiscard]] Time started() const { return Time{Duration{static_cast<Duration::rep>(inode)}}; }
};
static_assert(sizeof(HeldRequest) == 64, "a decision touches the dispatched request and the flow's next one");

using Requests = Slab<HeldRequest>;

/// First in, first out, unless somebody is let in between; any member may leave.
template <HeldRequest::Links HeldRequest::*links>
class RequestList {
 public:
  [[nodiscard]] bool empty() const { return head_ == kNoIndex; }
  [[nodiscard]] std::uint32_t front() const { return head_; }
  [[nodiscard]] std::uint32_t back() const { return tail_; }

  void push_back(Requests& requests, std::uint32_t index) { insert(requests, index, tail_); }
  /// Behind `previous`, a member; in front of all if that is kNoIndex.
  void insert(Requests& requests, std::uint32_t index, std::uint32_t previous) {
    const std::uint32_t next = previous == kNoIndex ? head_ : (requests[previous].*links).next;
    requests[index].*links = {next, previous};
    (previous == kNoIndex ? head_ : (requests[previous].*links).next) = index;
    (next == kNoIndex ? tail_ : (requests[next].*links).previous) = index;
  }
  void erase(Requests& requests, std::uint32_t index) {
    const HeldRequest::Links gone = requests[index].*links;
    (gone.previous == kNoIndex ? head_ : (requests[gone.previous].*links).next) = gone.next;
    (gone.next == kNoIndex ? tail_ : (requests[gone.next].*links).previous) = gone.previous;
  }

 private:
  std::uint32_t head_ = kNoIndex, tail_ = kNoIndex;
};

}  // namespace fairfs::sched
