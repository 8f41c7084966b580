// Loans: who starts while others have kept the disk busy is served at once, and pays later.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "sched/constants.h"
#include "sched/cost.h"

namespace fairfs::sched {

/// What may be lent: a start of a large program, to all together; refilled with a part of what the others are given.
/// Who has a loan is served as if it were of the class above, and owes what that took (Flow::debt).
class Loans {
 public:
  Loans(bool on, const CostModel& model)
      : on_(on),
        most_(static_cast<std::int64_t>(kLoanReads * model.predicted(Operation::read, kLoanReadBytes, false) +
                                        model.predicted(Operation::read, kLoanBytes, true))),
        credit_(most_) {
    holders_.reserve(kLoansAtOnce);
    starts_.fill(Time{} - kCrowdAge);
  }

  [[nodiscard]] bool on() const { return on_; }
  [[nodiscard]] Duration most() const { return Duration{most_}; }
  [[nodiscard]] const std::vector<std::uint32_t>& holders() const { return holders_; }
  [[nodiscard]] bool spent() const { return credit_ <= 0; }

  /// Others have kept the disk busy for long enough that it is they who are in the way, there is something to lend, and
  /// nobody is real-time. Who starts together with all the others, or as one of many, has nothing to catch up with.
  [[nodiscard]] bool offered(Time now) const {
    return !spent() && holders_.size() < kLoansAtOnce && !one_of_many_ && now - crowd_seen_ <= kCrowdPause &&
           now - crowd_since_ >= kCrowdAge && (!realtime_ || now - realtime_seen_ > kCrowdPause);
  }
  /// A flow starts, whether it gets a loan or not.
  void start(Time now) {
    Time& oldest = starts_[next_start_++ % kLoansAtOnce];
    one_of_many_ = now < oldest + kCrowdAge;
    oldest = now;
  }
  void begin(std::uint32_t node) { holders_.push_back(node); }
  void end(std::uint32_t node) { std::erase(holders_, node); }
  /// A holder's request was dispatched.
  void lent(std::uint64_t device_time) { credit_ -= static_cast<std::int64_t>(device_time); }
  /// Another's, of the class that loans are made from.
  void served(std::uint64_t device_time, Time now) {
    if (now - crowd_seen_ > kCrowdPause) crowd_since_ = now;
    crowd_seen_ = now;
    credit_ = std::min(credit_ + static_cast<std::int64_t>(device_time) / kLoanPart, most_);
  }
  void served_realtime(Time now) {
    realtime_ = true;
    realtime_seen_ = now;
  }

 private:
  bool on_;
  std::int64_t most_, credit_;          // ns
  std::vector<std::uint32_t> holders_;  // nodes
  std::array<Time, kLoansAtOnce> starts_;  // the last ones
  std::size_t next_start_ = 0;
  bool realtime_ = false, one_of_many_ = false;
  Time crowd_since_{}, crowd_seen_{}, realtime_seen_{};
};

}  // namespace fairfs::sched
