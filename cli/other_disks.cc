#include "cli/other_disks.h"

#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <set>

#include "cli/text.h"
#include "probe/disks.h"
#include "probe/mounted.h"

namespace fairfs::cli {
namespace {

struct Told {
  std::mutex mutex;
  std::set<dev_t> file_systems;  // guarded by mutex
};

}  // namespace

std::function<bool(dev_t, dev_t)> watch_for_other_disks() {
  return [told = std::make_shared<Told>()](dev_t source, dev_t other) {
    if (!probe::on_different_disks(source, other)) return false;
    {
      const std::lock_guard lock{told->mutex};
      if (!told->file_systems.insert(other).second) return true;
    }
    const probe::Mounted mount = probe::mounted(other);
    spdlog::info("{} ({}) inside the source lies on another disk: served at once, weights don't count there",
                 printable(mount.source), printable(mount.type));
    return true;
  };
}

}  // namespace fairfs::cli
