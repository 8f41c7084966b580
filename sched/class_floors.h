// Real-time before best-effort before idle, but none stands still for ever.
#pragma once

#include <array>
#include <cstdint>

#include "sched/constants.h"
#include "sched/types.h"

namespace fairfs::sched {

/// While a class has work and a higher one is served, the lower is owed a small part of what the higher gets; once that
/// makes a turn it goes first until it has had it. It also goes first when it has had nothing for kClassAge.
class ClassFloors {
 public:
  /// `turn`: device time that makes a turn, at least the cost of one request.
  ClassFloors(bool on, Duration turn) : on_(on), turn_(turn.count()) {}

  [[nodiscard]] std::int64_t turn() const { return turn_; }
  /// The class to serve; `backlogged(class)` says which have something queued, and one has.
  template <typename Backlogged>
  [[nodiscard]] ServiceClass choose(Backlogged backlogged, Time now) {
    unsigned chosen = 0;
    while (!backlogged(chosen)) ++chosen;
    for (unsigned lower = chosen + 1; on_ && lower < kClasses; ++lower) {
      look(classes_[lower], backlogged(lower), now);
      if (classes_[lower].waits && classes_[lower].turn) chosen = lower;
    }
    return static_cast<ServiceClass>(chosen);
  }
  /// A request of `service` goes first now for its age. The head has to go there and come back for it: an idle class
  /// has with it what it is owed, if that makes half a turn. Less often, and each time worth its way.
  void hasten(ServiceClass service) {
    Class& own = classes_[static_cast<unsigned>(service)];
    own.turn = own.turn || (service == ServiceClass::idle && own.owed >= turn_ / 2);
  }
  /// It goes before the higher ones now.
  [[nodiscard]] bool has_turn(ServiceClass service) const { return classes_[static_cast<unsigned>(service)].turn; }
  /// A request of `service` was dispatched for `cost` ns. What it took by the clock counts if that is more: a reader
  /// that uses one head of four, or one channel of eight, has the disk all the same.
  void served(ServiceClass service, std::uint64_t cost, Time now);
  /// What a class has beside higher ones, of 1000. Beside loans a half of what those take is a third of all.
  [[nodiscard]] std::int64_t part(ServiceClass service) const {
    const std::int64_t own = floor(static_cast<unsigned>(service));
    return own == kFloorBesideLoan ? 1000 * own / (1000 + own) : own;
  }
  /// Whether those of the highest class are there on loan, and leave the others more (kFloorBesideLoan).
  void set_lent(bool lent) { lent_ = lent; }

 private:
  struct Class {
    std::int64_t owed = 0;  // ns
    bool waits = false, turn = false;
    Time waits_since{};
  };
  void spend(unsigned index, std::int64_t spent, Time now);
  void look(Class& lower, bool backlogged, Time now) const;

  static constexpr std::array<std::int64_t, kClasses> kFloors{0, kFloorBestEffort, kFloorIdle};  // of 1000

  [[nodiscard]] std::int64_t floor(unsigned service) const {
    return lent_ && service == static_cast<unsigned>(ServiceClass::best_effort) ? kFloorBesideLoan : kFloors[service];
  }

  bool on_, lent_ = false;
  std::int64_t turn_;
  std::array<Class, kClasses> classes_{};
  // The last request.
  unsigned last_class_ = 0;
  std::int64_t last_cost_ = 0;
  Time last_{};
};

}  // namespace fairfs::sched
