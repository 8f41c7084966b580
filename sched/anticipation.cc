#include "sched/anticipation.h"

namespace fairfs::sched {

void Anticipation::completed(bool sync, const FirstReturns& others, Time now) {
  completed_ = now;
  served_ = true;
  const bool returns = think_.known() ? think_.mean() <= kAnticipationMax : others.likely();
  if (sync || !returns) return stop();
  const Duration wait = think_.known()
                            ? std::clamp(kThinkTimesAwaited * think_.mean(), kAnticipationMin, kAnticipationMax)
                            : kAnticipationMax;
  move(State::awaiting_request, now + wait);
}

void Anticipation::submitted(bool idle, FirstReturns& others, Time now) {
  if (idle && served_) {
    if (!think_.known()) others.note(away(now) <= kAnticipationMax);
    think_.add(away(now));
  }
  stop();
}

}  // namespace fairfs::sched
