// File systems inside the source that lie on other disks: found out, and said in the log.
#pragma once

#include <sys/types.h>

#include <functional>

namespace fairfs::cli {

/// For fs::MountConfig::on_another_disk. Each file system is logged once.
[[nodiscard]] std::function<bool(dev_t, dev_t)> watch_for_other_disks();

}  // namespace fairfs::cli
