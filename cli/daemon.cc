#include "cli/daemon.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "cli/daemonize.h"
#include "cli/failure.h"
#include "cli/signals.h"
#include "cli/socket_path.h"
#include "cli/stat_server.h"
#include "cli/weights_watch.h"
#include "fs/filesystem.h"
#include "sched/engine/engine.h"

namespace fairfs::cli {
namespace {

std::unique_ptr<WeightsWatch> watch_weights(Preparation& preparation, engine::Engine& engine) {
  if (!preparation.weights) return nullptr;
  return std::make_unique<WeightsWatch>(std::move(*preparation.weights), std::move(preparation.weights_text),
                                        [&engine](engine::WeightRules rules) { engine.set_rules(std::move(rules)); });
}

/// The queue is held while anybody has what this returns.
std::function<std::shared_ptr<void>()> holder_of(engine::Engine& engine) {
  return [&engine, present = std::weak_ptr<void>{}]() mutable {
    auto hold = present.lock();
    if (!hold) {
      engine.hold(true);
      hold = std::shared_ptr<void>{&engine, [](void* held) { static_cast<engine::Engine*>(held)->hold(false); }};
      present = hold;
    }
    return hold;
  };
}

/// A mount without its statistics is better than none: what is wrong is only logged.
std::unique_ptr<StatServer> serve_statistics(const Options& options, engine::Engine& engine) {
  const StatSource source{{.version = FAIRFS_VERSION,
                           .mountpoint = options.mount.mountpoint,
                           .source = options.mount.source,
                           .scheduling = options.policy == sched::Policy::fair,
                           .readings = {}},
                          [&engine] { return engine.snapshot(); },
                          [&engine] { return engine.last_second(); },
                          holder_of(engine)};
  try {
    return std::make_unique<StatServer>(
        socket_directory(geteuid()), socket_name(options.mount.mountpoint),
        [source](std::string_view line, Keepsake& kept) { return answer(line, source, kept); });
  } catch (const std::system_error& error) {
    spdlog::warn("{}; fairfs-stat will not find this mount", error.what());
    return nullptr;
  }
}

}  // namespace

void serve(const Options& options, Preparation preparation, const std::function<void()>& ready) {
  block_signals();
  raise_file_limit();
  protect_from_memory_pressure();
  engine::Engine engine{engine_config(options, preparation)};
  const auto watch = watch_weights(preparation, engine);
  fs::Filesystem filesystem{options.mount, engine};
  const auto statistics = serve_statistics(options, engine);
  const Signals signals{
      {.stop =
           [&filesystem] {
             spdlog::info("told to stop");
             filesystem.stop();
           },
       .reload = [&watch] { watch ? watch->reload() : spdlog::info("SIGHUP: no weights file to reload"); },
       .quit = [] { _exit(kExitFailed); }}};
  const auto& mount = options.mount;
  const int error = filesystem.serve([&] {
    spdlog::info("{} mirrored at {}", mount.source, mount.mountpoint);
    ready();
  });
  if (error != 0) throw failed("mount", mount.mountpoint, error, "unmount it with umount -l and start it again");
  spdlog::info("{} no longer mirrored", mount.mountpoint);
}

}  // namespace fairfs::cli
