// How many requests of lower classes are in the disk beside those of a higher one, where nothing has turns.
#pragma once

#include <cstdint>

#include "sched/constants.h"
#include "sched/types.h"

namespace fairfs::sched {

/// Flash serves a lower class beside a higher one for nothing, or takes every request of it out of the higher one's
/// bandwidth: what is true is measured. Hosts are the higher class's requests, guests those of lower ones that are in
/// the disk with them. A host's request is compared with the mean of its flow's requests that met no guest; while
/// sixteen of them are slower by no more than kGuestsSlow, one guest more is let in, else half of them. Once a second
/// guests stay out for sixteen requests, so that the mean is of today. (BFQ's injection limit, for classes.)
class Guests {
 public:
  explicit Guests(bool on) : on_(on) {}

  [[nodiscard]] bool on() const { return on_; }
  /// Another one may start.
  [[nodiscard]] bool admits() const { return in_disk_ < limit_ && reviewing_ == 0; }
  [[nodiscard]] bool any() const { return in_disk_ != 0; }
  [[nodiscard]] std::uint32_t limit() const { return limit_; }

  void started() {
    if (++in_disk_ >= limit_) full_ = true;
  }
  void ended() { --in_disk_; }
  /// A host's request that met guests took `service`; those of its flow that met none take `alone`.
  void host_met(Duration service, Duration alone, Time now);
  /// A host's request that met guests has ended, and there is nothing to compare it with: they stay out for a while.
  void host_unknown() { reviewing_ = kGuestsSamples; }
  /// A host's request that met none has ended; `known`: its flow's mean is worth something.
  void host_alone(bool known, Time now);

 private:
  bool on_;
  std::uint32_t in_disk_ = 0, limit_ = 0;
  bool full_ = false;            // as many as allowed were in the disk since the last verdict
  std::uint32_t reviewing_ = 0;  // hosts' requests for which guests stay out yet
  std::uint32_t samples_ = 0;
  Duration service_{}, alone_{};  // sums over the samples
  Duration pause_ = kGuestsPauseMin;
  Time resumed_{}, reviewed_{};
};

}  // namespace fairfs::sched
