#include "sched/engine/engine.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>

#include "sched/engine/engine_state.h"

namespace fairfs::engine {
namespace {

// With `off` nothing limits what is started. 64 threads carry the deepest buffered load that was of use in trials; 1024
// asynchronous requests are more than any kernel queue below us takes.
constexpr std::size_t kThreadsOff = 64;
constexpr unsigned kBlocksOff = 1024;
// Room for a depth that is raised later.
constexpr unsigned kBlocksMin = 128;

bool is_off(const EngineConfig& config) { return config.scheduler.policy == sched::Policy::off; }

std::size_t threads_max(const EngineConfig& config) {
  return is_off(config) ? kThreadsOff : config.scheduler.profile.depth;
}

unsigned blocks_max(const EngineConfig& config) {
  return is_off(config) ? kBlocksOff : std::max(kBlocksMin, config.scheduler.profile.depth);
}

// mountinfo can be long: a container host has thousands of mounts.
std::string read_all(const std::string& path) {
  std::string text(4096, '\0');
  for (;;) {
    const std::size_t length = read_text(AT_FDCWD, path.c_str(), text).size();
    if (length < text.size()) {
      text.resize(length);
      return text;
    }
    text.resize(text.size() * 2);
  }
}

sched::Time read_clock(clockid_t clock) {
  timespec t{};
  ::clock_gettime(clock, &t);
  return sched::Time{std::chrono::seconds{t.tv_sec} + std::chrono::nanoseconds{t.tv_nsec}};
}

}  // namespace

sched::Time clock_now() { return read_clock(CLOCK_MONOTONIC); }
sched::Time clock_coarse() { return read_clock(CLOCK_MONOTONIC_COARSE); }

Engine::State::State(EngineConfig&& given)
    : config(std::move(given)),
      processes(config.proc),
      cgroups(
          std::make_shared<CgroupWeights>(find_cgroup_mount(read_all(std::string(config.proc) + "/self/mountinfo")))),
      scheduler(config.scheduler),
      flows(scheduler),
      callers(processes, std::make_shared<Placer>(config.grouping, config.rules, cgroups), flows, mutex),
      executor(threads_max(config),
               [this](Pending& pending) {
                 pending.result = pending.job->run();
                 advance(PendingQueue{pending}, executor.idle());
               }),
      disk(blocks_max(config),
           [this](std::span<const Completion> completions) {
             PendingQueue ended;
             for (const Completion& completion : completions) {
               auto& pending = *static_cast<Pending*>(completion.data);
               pending.result = completion.result;
               ended.push(pending);
             }
             advance(std::move(ended), false);
           }),
      housekeeper([this] { keep_house(); }) {}

Engine::State::~State() {
  {
    const std::lock_guard lock{mutex};
    held = false;
  }
  drain();
  {
    const std::lock_guard lock{mutex};
    stopping = true;
    house_wanted.notify_one();
  }
  housekeeper.join();
}

void Engine::State::drain() {
  pump(false);  // what was only submitted may have nobody else to start it
  std::unique_lock lock{drain_mutex};
  ++drainers;  // before the look at `unfinished`; whoever ends the last job looks the other way round
  drained.wait(lock, [this] { return unfinished == 0; });
  --drainers;
}

Engine::Engine(EngineConfig config) : state_(std::make_unique<State>(std::move(config))) {}
Engine::~Engine() = default;

void Engine::submit(std::unique_ptr<Job>&& job) { state_->enqueue(std::move(job)); }
void Engine::run() noexcept { state_->pump(true); }
void Engine::kick() noexcept { state_->pump(false); }
void Engine::drain() {
  hold(false);
  state_->drain();
}

void Engine::hold(bool held) {
  {
    const std::lock_guard lock{state_->mutex};
    state_->held = held;
    state_->wake_at = sched::kNever;
  }
  if (!held) kick();
}

void Engine::count(const Caller& caller, Event event, std::uint64_t bytes) {
  const sched::Time now = clock_coarse();
  state_->callers.with_flow(caller, now, [&](Flow& flow) {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    switch (event) {
      case Event::cached_read:
        flow.cached.fetch_add(1, kRelaxed);
        flow.cached_bytes.fetch_add(bytes, kRelaxed);
        break;
      case Event::buffered_write:
        flow.buffered_writes.fetch_add(1, kRelaxed);
        flow.buffered_bytes.fetch_add(bytes, kRelaxed);
        break;
      case Event::metadata:
        flow.metadata.fetch_add(1, kRelaxed);
        break;
    }
    flow.see(now);
  });
}

}  // namespace fairfs::engine
