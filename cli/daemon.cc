#include "cli/daemon.h"

#include <spdlog/spdlog.h>
#include <unistd.h>

#include <fstream>
#include <iterator>
#include <string>

#include "cli/control.h"
#include "cli/daemonize.h"
#include "cli/failure.h"
#include "cli/service_manager.h"
#include "cli/signals.h"
#include "fs/filesystem.h"
#include "sched/engine/cgroup_path.h"
#include "sched/engine/engine.h"

namespace fairfs::cli {
namespace {

/// Rules that name a cgroup mean paths in this tree: on a machine with both, people look in the wrong one.
void log_cgroups(const Options& options) {
  if (options.grouping != engine::Grouping::cgroup) return;
  std::ifstream file{"/proc/self/mountinfo"};
  const engine::CgroupMount mount = engine::find_cgroup_mount(std::string{std::istreambuf_iterator<char>{file}, {}});
  if (mount.folder.empty()) {
    spdlog::info("cgroups: no tree is mounted: their own weights are not known");
  } else {
    spdlog::info("cgroups: those of {} ({})", mount.folder, mount.is_v2 ? "v2" : "v1, blkio");
  }
}

}  // namespace

void serve(const Options& options, Preparation preparation, const std::function<void()>& ready) {
  block_signals();
  raise_file_limit();
  protect_from_memory_pressure();
  share_allocator_pools();
  // In the background our exit status says it, and a manager that listens waits for another: whoever called mount(8).
  const auto manager = options.foreground ? ServiceManager::of_environment() : ServiceManager{};
  engine::Engine engine{engine_config(options, preparation)};
  Control control{options, preparation, engine};
  fs::Filesystem filesystem{options.mount, engine};
  control.listen(options);
  const Signals signals{{.stop =
                             [&filesystem, &manager] {
                               spdlog::info("told to stop");
                               filesystem.stop();
                               manager.stopping();
                             },
                         .reload = [&control] { control.reload(); },
                         .quit =
                             [] {
                               fs::Filesystem::abandon();  // no word: the log may lie on the disk that is stuck
                               _exit(kExitFailed);
                             }}};
  const auto& mount = options.mount;
  const int error = filesystem.serve([&] {
    spdlog::info("{} mirrored at {}", mount.source, mount.mountpoint);
    manager.ready(mount.source + " mirrored at " + mount.mountpoint);
    log_cgroups(options);
    ready();
  });
  if (error != 0) throw failed("mount", mount.mountpoint, error, "unmount it with umount -l and start it again");
  spdlog::info("{} no longer mirrored", mount.mountpoint);
}

}  // namespace fairfs::cli
