// Requests one by one, for whoever wants to watch them. Costs nothing while nobody does.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "sched/types.h"

namespace fairfs::engine {

/// Why a request was started when it was.
enum class TraceReason : std::uint8_t {
  alone,       ///< nobody else had anything to do
  share,       ///< the weights' (and classes', and turns') order
  deadline,    ///< it had waited as long as it may
  unscheduled  ///< sched=off: as it came
};

struct TracedRequest {
  sched::Time ended{};
  std::string flow, command;  ///< the flow's name; its process's
  pid_t pid = 0;
  sched::Operation operation{};
  bool buffered = false;  ///< brings pages of the kernel's cache to the disk
  std::uint64_t inode = 0, offset = 0, bytes = 0;
  sched::Duration waited{}, service{};
  std::int64_t result = 0;  ///< bytes or -errno
  TraceReason reason = TraceReason::share;
};

struct Flow;

/// What was traced and not yet fetched. Not thread-safe: under the engine's mutex.
class TraceBuffer {
 public:
  /// A second of a fast disk's requests. Beyond, the oldest are lost, and counted.
  static constexpr std::size_t kMost = 65'536;

  struct Entry {
    std::shared_ptr<const Flow> flow;
    TracedRequest request;  ///< without names, which are the flow's
  };
  /// Without memory for it this one is lost.
  void add(Entry entry) noexcept try {
    if (entries_.size() == kMost) {
      entries_.pop_front();
      ++lost_;
    }
    entries_.push_back(std::move(entry));
  } catch (const std::bad_alloc&) {
    ++lost_;
  }
  /// Up to `most` of the oldest ones.
  [[nodiscard]] std::vector<Entry> take(std::size_t most);
  [[nodiscard]] std::uint64_t lost() const { return lost_; }

 private:
  std::deque<Entry> entries_;
  std::uint64_t lost_ = 0;
};

}  // namespace fairfs::engine
