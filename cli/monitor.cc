#include "cli/monitor.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>

#include <cerrno>
#include <chrono>
#include <system_error>
#include <utility>

namespace fairfs::cli {
namespace {

constexpr int kTick_ms = 1000;  // readings are a second apart

}  // namespace

Monitor::Monitor(const engine::Engine& engine, const std::string& source, bool scheduling)
    : engine_{engine}, scheduling_{scheduling}, disk_{source}, end_{eventfd(0, EFD_CLOEXEC)} {
  if (!end_) throw std::system_error{errno, std::generic_category(), "eventfd"};
  state_.disk = disk_.name();
  thread_ = std::thread{[this] { serve(); }};
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
  if (auto counters = disk_.counters()) {
    for (const auto& flow : after->flows) counters->own_changes += flow.counters.syncs + flow.counters.metadata;
    const sched::Time now{std::chrono::steady_clock::now().time_since_epoch()};
    foreign_.add(*counters, now - std::exchange(last_look_, now));
  }
  AlertSigns signs{.before = *before,
                   .after = *after,
                   .scheduling = scheduling_,
                   .has_rules = false,
                   .elevator = disk_.elevator(),
                   .disk_bytes_per_s = foreign_.device_bytes_per_s(),
                   .foreign_bytes_per_s = foreign_.foreign_bytes_per_s()};
  std::vector<std::string> news;
  {
    const std::lock_guard lock{mutex_};
    signs.has_rules = has_rules_;
    news = alerts_.look(signs, after->taken);
    state_.alerts = alerts_.standing();
    state_.elevator = signs.elevator;
    state_.disk_bytes_per_s = signs.disk_bytes_per_s;
    state_.foreign_bytes_per_s = signs.foreign_bytes_per_s;
  }
  for (const std::string& alert : news) spdlog::warn("{}", alert);
}

}  // namespace fairfs::cli
