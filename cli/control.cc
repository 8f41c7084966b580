#include "cli/control.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>
#include <utility>

#include "cli/failure.h"
#include "cli/openmetrics.h"
#include "cli/socket_path.h"
#include "fs/filesystem.h"

namespace fairfs::cli {

namespace {

/// Whether the mount of this id is the one that is seen at the mountpoint: the last one made there.
bool is_on_top(std::uint64_t id, const std::string& mountpoint) {
  const std::vector<Mount> mounts = current_mounts();
  const auto top =
      std::find_if(mounts.rbegin(), mounts.rend(), [&](const Mount& mount) { return mount.mountpoint == mountpoint; });
  return top != mounts.rend() && top->id == id;
}

/// Two daemons on one mountpoint don't start in the same nanosecond since boot.
std::uint64_t instance() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

}  // namespace

Control::Control(const Options& options, Preparation& preparation, engine::Engine& engine)
    : engine_{engine},
      about_{.version = FAIRFS_VERSION,
             .mountpoint = options.mount.mountpoint,
             .source = options.mount.source,
             .instance = instance(),
             .scheduling = options.policy == sched::Policy::fair,
             .profile = preparation.profile.reason,
             .weights = options.weights},
      monitor_{engine, options.mount.source, options.policy == sched::Policy::fair, preparation.profile.confidence},
      overrides_{preparation.rules, [&engine](engine::WeightRules rules) { engine.set_rules(std::move(rules)); },
                 [this](pid_t pid) { return start_of(pid); }} {
  monitor_.set_rules(preparation.rules, about_.weights);
  if (options.metrics) {
    metrics_ =
        std::make_unique<MetricsServer>(*options.metrics, options.stat_access, [this] { return metrics_text(); });
  }
  if (!preparation.weights) return;
  watch_ = std::make_unique<WeightsWatch>(
      std::move(*preparation.weights), std::move(preparation.weights_text),
      [this](engine::WeightRules rules) {
        monitor_.set_rules(rules, about_.weights);
        overrides_.replace_file(std::move(rules));
      },
      [this](const std::string& error) { monitor_.set_weights_error(error); });
}

void Control::listen(const Options& options) {
  auto commands = std::make_shared<StatCommands>(source());
  std::uint64_t id = 0;  // the last one there is ours: it has just been made
  for (const Mount& mount : current_mounts()) {
    if (mount.mountpoint == about_.mountpoint) id = mount.id;
  }
  try {
    server_ = std::make_unique<StatServer>(
        socket_directory_to_make(geteuid()), socket_name(about_.mountpoint),
        [commands](std::string_view line, const StatPeer& peer, Keepsake& kept) {
          return commands->answer(line, peer, kept);
        },
        options.stat_access, [id, mountpoint = about_.mountpoint] { return is_on_top(id, mountpoint); });
  } catch (const std::system_error& error) {
    spdlog::warn("{}; fairfs-stat will not find this mount", error.what());
  }
}

void Control::reload() {
  if (watch_) {
    watch_->reload();
  } else {
    spdlog::info("SIGHUP: no weights file to reload");
  }
}

std::string Control::metrics_text() const {
  const auto [before, after] = engine_.last_second();
  const StatReply reply{about_, state(), {*before, *after}};
  return to_openmetrics(std::array{&reply});
}

std::uint64_t Control::begin_reload() {
  if (!watch_) throw failed("reload", about_.mountpoint, "it has no weights file", "mount it with -o weights=FILE");
  return watch_->reload();
}

StatState Control::state() const {
  StatState result = monitor_.state();
  result.held_bytes = fs::Filesystem::held_bytes();
  return result;
}

StatSource Control::source() {
  return {.about = about_,
          .state = [this] { return state(); },
          .snapshot = [this] { return engine_.snapshot(); },
          .last_second = [this] { return engine_.last_second(); },
          .overrides = [this] { return overrides_.list(); },
          .set =
              [this](const RuleWords& words) {
                overrides_.set(words);
                spdlog::info("weights: set {}", to_text(words));
              },
          .unset =
              [this](const RuleWords* whom) {
                whom != nullptr ? overrides_.unset(*whom) : overrides_.clear();
                spdlog::info("weights: unset {}", whom != nullptr ? to_text(*whom) : "all");
              },
          .reload = [this] { return begin_reload(); },
          .last_reload = [this] { return watch_ ? watch_->last_reload() : ReloadState{}; },
          .explain = [this](pid_t pid) { return engine_.explain(pid); },
          .trace = [this] { return engine_.trace(); },
          .traced =
              [this](engine::TraceBuffer& buffer, std::size_t most) {
                TraceReply reply;
                reply.requests = engine_.traced(buffer, most, reply.lost);
                return reply;
              },
          .hold = [this] { return hold(); }};
}

std::shared_ptr<void> Control::hold() {
  auto present = held_.lock();
  if (!present) {
    engine_.hold(true);
    present = std::shared_ptr<void>{&engine_, [](void* held) { static_cast<engine::Engine*>(held)->hold(false); }};
    held_ = present;
  }
  return present;
}

std::optional<std::uint64_t> Control::start_of(pid_t pid) const {
  const engine::Process process = processes_.find(pid);
  // A thread's id is none of a process.
  if (process.kind != engine::Process::Kind::process || process.pid != pid) return std::nullopt;
  return process.start_time;
}

}  // namespace fairfs::cli
