// The housekeeper: deadlines, killed callers, and what is due once a second.
#include <algorithm>
#include <cerrno>
#include <new>
#include <unordered_map>

#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {

using namespace std::chrono_literals;

// Killed callers are found within two rounds, hence within 100 ms. A request that waits less is not worth a look at
// /proc (about 15 us).
constexpr sched::Duration kRound = 50ms;
constexpr sched::Duration kYoung = 50ms;
// Threads looked at in one round, so that thousands of waiting ones cost at most a third of a processor. The next round
// goes on behind them.
constexpr std::size_t kLooksMax = 1024;
// A scheduler that wants to be asked at once again gets a breath between.
constexpr sched::Duration kBreath = 1ms;
constexpr sched::Duration kSecond = 1s;

std::chrono::steady_clock::time_point on_steady_clock(sched::Time time) {
  return std::chrono::steady_clock::time_point{time.time_since_epoch()};
}

}  // namespace

void Engine::State::keep_house() {
  sched::Time next_round = clock_now() + kRound, next_second = clock_now();
  for (;;) {
    bool due;
    {
      std::unique_lock lock{mutex};
      house_wakes_at = std::min(next_round, wake_at);
      while (!stopping && clock_now() < house_wakes_at) {
        house_wanted.wait_until(lock, on_steady_clock(house_wakes_at));
        house_wakes_at = std::min(next_round, wake_at);
      }
      if (stopping) return;
      due = clock_now() >= wake_at;
      house_wakes_at = {};  // awake: nobody needs to wake us
    }
    if (due) pump(false);
    try {
      keep_house_once(next_round, next_second);
    } catch (const std::bad_alloc&) {  // whatever it was is done in the next round
    }
    const std::lock_guard lock{mutex};
    if (wake_at != sched::kNever) wake_at = std::max(wake_at, clock_now() + kBreath);
  }
}

void Engine::State::keep_house_once(sched::Time& next_round, sched::Time& next_second) {
  const sched::Time now = clock_now();
  if (now < next_round) return;
  next_round = now + kRound;
  answer_killed();
  if (now < next_second) return;
  each_second();
  next_second = std::max(next_second + kSecond, now);
}

void Engine::State::answer_killed() {
  std::unordered_map<pid_t, pid_t> waiting;  // thread -> process
  const sched::Time young = clock_now() - kYoung;
  {
    const std::lock_guard lock{mutex};
    for (const Pending* pending = queue.first(); pending != nullptr && pending->submitted < young;
         pending = pending->next)
      if (const pid_t thread = pending->job->caller.thread; thread != 0 && !pending->job->flow)
        waiting.try_emplace(thread, pending->flow->shared ? 0 : pending->flow->process.pid);
  }
  std::unordered_set<pid_t> dying;
  std::vector<std::pair<pid_t, pid_t>> looks(waiting.begin(), waiting.end());
  if (looks.size() > kLooksMax) {
    const auto middle = looks.begin() + static_cast<std::ptrdiff_t>(looks_done++ * kLooksMax % looks.size());
    std::rotate(looks.begin(), middle, looks.end());
    looks.resize(kLooksMax);
  }
  for (const auto& [thread, process] : looks)
    if (processes.dying(thread, process)) dying.insert(thread);
  if (dying.empty()) return;

  PendingQueue cancelled;
  {
    const std::lock_guard lock{mutex};
    const sched::Time now = clock_now();
    for (Pending *pending = queue.first(), *next; pending != nullptr && pending->submitted < young; pending = next) {
      next = pending->next;
      if (pending->job->flow || !dying.contains(pending->job->caller.thread) || !scheduler.cancel(pending->id, now))
        continue;
      queue.remove(*pending);
      --queued;
      pending->flow->cancelled(now);
      pending->result = -EINTR;
      cancelled.push(*pending);
    }
  }
  finish(cancelled);
}

void Engine::State::each_second() {
  const sched::Time now = clock_now();
  callers.sweep(now);
  cgroups->refresh();
  const std::shared_ptr<const Placer> placer = callers.placer();
  std::vector<GroupStep> groups;
  {
    const std::lock_guard lock{mutex};
    flows.expire(now);
    groups = flows.groups();
  }
  std::vector<sched::Weight> weights;
  std::vector<bool> overridden;
  weights.reserve(groups.size());
  for (const GroupStep& group : groups) {
    weights.push_back(placer->weight_of(group));
    overridden.push_back(placer->is_overridden(group));
  }
  {
    const std::lock_guard lock{mutex};
    for (std::size_t i = 0; i < groups.size(); ++i) flows.set_weight(groups[i].key, weights[i], overridden[i]);
    flows.share_out(now);
  }
  auto reading = std::make_shared<const Snapshot>(read());
  const std::lock_guard lock{mutex};
  second_start = std::exchange(second_end, std::move(reading));
}

}  // namespace fairfs::engine
