// Whether a flow that has nothing queued is worth waiting for, and until when.
#pragma once

#include <cstdint>

#include "sched/think_time.h"
#include "sched/types.h"

namespace fairfs::sched {

/// How often new flows come back after their first requests, over all flows: where most programs read one file and
/// exit, none is waited for before it has shown what it does (as-iosched's exit probability).
class FirstReturns {
 public:
  void note(bool returned) { probability_ += ((returned ? kOne : 0) - probability_) / 8; }
  [[nodiscard]] bool likely() const { return probability_ >= kOne / 2; }

 private:
  static constexpr int kOne = 4096;
  int probability_ = kOne;
};

/// One flow's. Three states, moved by what happens to the flow (as-iosched's): nobody waits; its last request is in the
/// disk; its last request has ended and it thinks.
class Anticipation {
 public:
  enum class State : std::uint8_t { off, awaiting_completion, awaiting_request };

  /// The flow's last queued request went to the disk.
  void dispatched(Time now) { move(State::awaiting_completion, now + kServiceMax); }
  /// Its last request in the disk has ended. Not worth waiting after a flush (whoever syncs depends on others: on the
  /// journal's thread, on a waker) and for a flow that usually thinks longer than the longest wait.
  void completed(bool sync, const FirstReturns& others, Time now);
  /// A request came; `idle`: none was queued or in the disk.
  void submitted(bool idle, FirstReturns& others, Time now);
  void stop() { move(State::off, {}); }

  [[nodiscard]] State state() const { return state_; }
  [[nodiscard]] Time until() const { return until_; }
  [[nodiscard]] bool awaited(Time now) const { return state_ != State::off && now < until_; }
  /// Time since its last request ended. Meaningless before the first.
  [[nodiscard]] Duration away(Time now) const { return now - completed_; }
  /// None of its requests has ended yet, or the last one so long ago.
  [[nodiscard]] bool new_or_away(Duration least, Time now) const { return !served_ || away(now) >= least; }
  [[nodiscard]] const ThinkTime& think() const { return think_; }

 private:
  void move(State state, Time until) {
    state_ = state;
    until_ = until;
  }

  State state_ = State::off;
  bool served_ = false;  // some request of it has ended
  Time until_{}, completed_{};
  ThinkTime think_;
};

}  // namespace fairfs::sched
