// The disk behind a directory, as the kernel shows it.
#pragma once

#include <optional>
#include <string>

#include "cli/foreign_traffic.h"

namespace fairfs::cli {

/// Not thread-safe. Each look reads two or three small files of /proc and /sys.
class ObservedDisk {
 public:
  /// Looks for the block device that `directory` lies on.
  explicit ObservedDisk(const std::string& directory);

  /// "nvme0n1", "loop3"; empty for a file system without a block device (NFS, tmpfs), and then there is nothing to
  /// count.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// The kernel's own scheduler for it: "none", "mq-deadline", "bfq"; may change any time. Empty if it isn't known.
  [[nodiscard]] std::string elevator() const;
  /// All but `own_changes`. Nothing where the kernel doesn't count.
  [[nodiscard]] std::optional<DiskCounters> counters() const;

 private:
  std::string folder_, name_;
};

/// The word in brackets of "none [mq-deadline] kyber".
[[nodiscard]] std::string chosen_elevator(const std::string& text);

}  // namespace fairfs::cli
