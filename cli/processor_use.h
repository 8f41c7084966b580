// How busy the machine's processors are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace fairfs::cli {

/// Cumulative, of all processors together, in the kernel's ticks.
struct ProcessorTimes {
  std::uint64_t idle = 0;  ///< with nothing to do, or nothing but to wait for a disk
  std::uint64_t total = 0;
};

/// Out of the text of /proc/stat; nothing where it isn't as proc(5) says.
[[nodiscard]] std::optional<ProcessorTimes> processor_times(const std::string& proc_stat);

/// Not thread-safe. A look reads the beginning of /proc/stat.
class ProcessorUse {
 public:
  /// Part of the time since the last look that the processors had something to do, 0..1; 0 at the first one and where
  /// the kernel doesn't say. What a hypervisor took away counts as busy.
  [[nodiscard]] double look();
  /// The same with what /proc/stat says.
  [[nodiscard]] double add(const std::string& proc_stat);

 private:
  std::optional<ProcessorTimes> last_;
};

}  // namespace fairfs::cli
