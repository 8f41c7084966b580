// What steers a running mount from outside: the weights file, changes made while running, the control socket.
#pragma once

#include <memory>
#include <optional>

#include "cli/daemon.h"
#include "cli/metrics_server.h"
#include "cli/monitor.h"
#include "cli/stat_commands.h"
#include "cli/stat_server.h"
#include "cli/weight_overrides.h"
#include "cli/weights_watch.h"
#include "sched/engine/engine.h"
#include "sched/engine/process_table.h"

namespace fairfs::cli {

class Control {
 public:
  /// Takes the weights file out of `preparation` and watches it; offers metrics. The engine outlives this object.
  /// Throws Failure or std::system_error.
  Control(const Options& options, Preparation& preparation, engine::Engine& engine);

  /// From here on fairfs-stat finds the mount. A mount without its statistics is better than none: what is wrong is
  /// only logged.
  void listen(const Options& options);

  /// Reads the weights file again. Any thread; doesn't wait for it.
  void reload();

 private:
  [[nodiscard]] std::optional<std::uint64_t> start_of(pid_t pid) const;
  [[nodiscard]] StatSource source();
  [[nodiscard]] StatState state() const;
  [[nodiscard]] std::string metrics_text() const;
  std::uint64_t begin_reload();
  std::shared_ptr<void> hold();

  engine::Engine& engine_;
  const StatAbout about_;
  const engine::ProcDirectory processes_{"/proc"};
  std::weak_ptr<void> held_;  // the queue is held while anybody has it
  Monitor monitor_;
  WeightOverrides overrides_;
  std::unique_ptr<WeightsWatch> watch_;
  std::unique_ptr<StatServer> server_;  // last, as the next: their threads use the others
  std::unique_ptr<MetricsServer> metrics_;
};

}  // namespace fairfs::cli
