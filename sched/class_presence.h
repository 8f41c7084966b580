// Which classes have something in the disk, or had a moment ago.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "sched/constants.h"
#include "sched/types.h"

namespace fairfs::sched {

class ClassPresence {
 public:
  void started(ServiceClass service) { ++of(service).in_flight; }
  void ended(ServiceClass service, Time now) {
    Class& own = of(service);
    --own.in_flight;
    own.ended = now;
    own.seen = true;
  }
  /// Something of a class below is in the disk.
  [[nodiscard]] bool lower_in_flight(ServiceClass service) const {
    return std::any_of(classes_.begin() + static_cast<unsigned>(service) + 1, classes_.end(),
                       [](const Class& lower) { return lower.in_flight != 0; });
  }
  /// Until when a class above `service` is there: while it has something in the disk, and a little longer. In the past:
  /// none is. kNever: until something ends.
  [[nodiscard]] Time higher_until(ServiceClass service) const {
    Time until{};
    for (unsigned i = 0; i < static_cast<unsigned>(service); ++i) {
      if (classes_[i].in_flight != 0) return kNever;
      if (classes_[i].seen) until = std::max(until, classes_[i].ended + kAnticipationMax);
    }
    return until;
  }

 private:
  struct Class {
    std::uint32_t in_flight = 0;
    bool seen = false;
    Time ended{};
  };
  [[nodiscard]] Class& of(ServiceClass service) { return classes_[static_cast<unsigned>(service)]; }

  std::array<Class, kClasses> classes_;
};

}  // namespace fairfs::sched
