#include "cli/monitor.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

#include "cli/stubborn_thread.h"

namespace fairfs::cli {
namespace {

constexpr int kTick_ms = 1000;                          // readings are a second apart
constexpr std::chrono::milliseconds kTickMost{10'000};  // the first look counts since the machine's start

}  // namespace

Monitor::Monitor(const engine::Engine& engine, const std::string& source, bool scheduling, sched::Confidence confidence)
    : engine_{engine},
      scheduling_{scheduling},
      disk_{source},
      alerts_{error_of(confidence)},
      end_{eventfd(0, EFD_CLOEXEC)} {
  if (!end_) throw std::system_error{errno, std::generic_category(), "eventfd"};
  state_.disk = disk_.name();
  thread_ = stubborn_thread([this] { serve(); });
}

Monitor::~Monitor() {
  eventfd_write(end_.get(), 1);
  thread_.join();
}

void Monitor::set_rules(const engine::WeightRules& rules, const std::string& file) {
  const std::lock_guard lock{mutex_};
  has_rules_ = !rules.rules.empty();
  alerts_.set_forgeable(forgeable_rules(rules, file));
}

void Monitor::set_weights_error(const std::string& line) {
  const std::lock_guard lock{mutex_};
  alerts_.set_weights_error(line);
}

StatState Monitor::state() const {
  const auto since_1970 = std::chrono::system_clock::now().time_since_epoch();
  const std::lock_guard lock{mutex_};
  StatState result = state_;
  result.wall_s = std::chrono::duration_cast<std::chrono::seconds>(since_1970).count();
  return result;
}

void Monitor::serve() {
  pollfd waiting{end_.get(), POLLIN, 0};
  while (poll(&waiting, 1, kTick_ms) <= 0) look();
}

void Monitor::look() {
  const auto [before, after] = engine_.last_second();
  MachineLoad machine{.processor_use = processors_.look(), .disk_queue = std::nullopt};
  if (auto counters = disk_.counters()) {
    for (const auto& flow : after->flows) counters->own_changes += flow.counters.syncs + flow.counters.metadata;
    const sched::Time now{std::chrono::steady_clock::now().time_since_epoch()};
    const sched::Duration passed = now - std::exchange(last_look_, now);
    foreign_.add(*counters, passed);
    const std::uint64_t queued_ms = std::exchange(queued_ms_, counters->queued_ms);
    // A kernel that doesn't count this (iostats=0) says nothing each time.
    if (counters->queued_ms > queued_ms && passed < kTickMost) {
      machine.disk_queue =
          std::chrono::milliseconds{counters->queued_ms - queued_ms} / std::chrono::duration<double>(passed);
    }
  }
  AlertSigns signs{.before = *before,
                   .after = *after,
                   .scheduling = scheduling_,
                   .has_rules = false,
                   .elevator = disk_.elevator(),
                   .disk_bytes_per_s = foreign_.device_bytes_per_s(),
                   .foreign_bytes_per_s = foreign_.foreign_bytes_per_s(),
                   .machine = machine};
  const bool processor_bound = scheduling_ && processors_are_the_limit(*before, *after, machine);
  std::vector<std::string> news;
  {
    const std::lock_guard lock{mutex_};
    signs.has_rules = has_rules_;
    news = alerts_.look(signs, after->taken);
    state_.alerts = alerts_.standing();
    state_.elevator = signs.elevator;
    state_.disk_bytes_per_s = signs.disk_bytes_per_s;
    state_.foreign_bytes_per_s = signs.foreign_bytes_per_s;
    state_.processor_use = machine.processor_use;
    state_.processor_bound = processor_bound;
  }
  for (const std::string& alert : news) spdlog::warn("{}", alert);
}

}  // namespace fairfs::cli
