// How much of a disk's traffic is not ours: an estimate from counters.
#pragma once

#include <cstdint>

#include "sched/types.h"

namespace fairfs::cli {

/// Cumulative, as the kernel and the engine count them.
struct DiskCounters {
  std::uint64_t device_read = 0, device_written = 0;  ///< bytes, of the whole disk
  std::uint64_t own_read = 0;                         ///< bytes that this process had read from devices
  std::uint64_t own_dirtied = 0;                      ///< bytes that it wrote, on their way to a device sooner or later
  std::uint64_t own_changes = 0;  ///< flushes and requests for names: each may cost the file system a few blocks
  std::uint64_t queued_ms = 0;    ///< time that requests spent in the device, added up
};

/// Pure; time is an argument. Reads are told apart as they happen. A write of ours reaches the disk up to half a minute
/// later, so what we dirtied is a credit that the disk's writes use up first; what is more is somebody else's. The
/// journal's share of our own writes is allowed for by the number of changes.
class ForeignTraffic {
 public:
  void add(const DiskCounters& now, sched::Duration since_last);

  // Means of the last few seconds.
  [[nodiscard]] double device_bytes_per_s() const { return device_; }
  [[nodiscard]] double foreign_bytes_per_s() const { return foreign_; }

 private:
  bool started_ = false;
  DiskCounters last_;
  double credit_ = 0;  // bytes
  double device_ = 0, foreign_ = 0;
};

}  // namespace fairfs::cli
