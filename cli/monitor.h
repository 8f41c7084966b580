// Looks at the mount and its disk once a second: other programs' traffic, alerts.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

#include "cli/alert_watch.h"
#include "cli/disk_counters.h"
#include "cli/processor_use.h"
#include "cli/stat_protocol.h"
#include "cli/unique_fd.h"
#include "sched/engine/engine.h"

namespace fairfs::cli {

/// Thread-safe. One thread; costs a few small files of /proc and /sys a second. Logs each new alert.
class Monitor {
 public:
  /// `source` is looked at once, here; `confidence` is its profile's. The engine outlives this object. Throws
  /// std::system_error.
  Monitor(const engine::Engine& engine, const std::string& source, bool scheduling, sched::Confidence confidence);
  ~Monitor();
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;

  /// The file's rules as they are now.
  void set_rules(const engine::WeightRules& rules, const std::string& file);
  /// What is wrong with the file now, whose last good rules stay in force; empty for nothing.
  void set_weights_error(const std::string& line);
  [[nodiscard]] StatState state() const;

 private:
  void serve();
  void look();

  const engine::Engine& engine_;
  const bool scheduling_;
  const ObservedDisk disk_;
  ForeignTraffic foreign_;  // the thread's own, as the next four
  ProcessorUse processors_;
  std::uint64_t queued_ms_ = 0;
  sched::Time last_look_{};
  mutable std::mutex mutex_;
  AlertWatch alerts_;  // under the mutex, as the next
  bool has_rules_ = false;
  StatState state_;
  UniqueFd end_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace fairfs::cli
