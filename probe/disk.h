// The seam between the probe and a disk: the real one through libaio, a modelled one on a simulated clock.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "probe/trial.h"

namespace fairfs::probe {

/// `slot` is the caller's name for it, below kDepthMax; no two in flight share one.
struct Transfer {
  std::uint32_t slot = 0;
  Operation operation = Operation::read;
  std::uint64_t offset = 0, bytes = 0;  ///< within the span of its operation; multiples of 4096
};

struct Ended {
  std::uint32_t slot = 0;
  int error = 0;  ///< errno, 0 when all bytes were transferred
};

/// Not thread-safe.
class Disk {
 public:
  Disk() = default;
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  virtual ~Disk() = default;

  [[nodiscard]] virtual Time now() = 0;
  /// Starts all of them. A transfer that can't be started ends with its error.
  virtual void start(std::span<const Transfer> transfers) = 0;
  /// Waits for at least one to end or for `deadline`; appends what ended.
  virtual void wait(Time deadline, std::vector<Ended>& ended) = 0;
  /// Bytes that may be read, and that may be written; 0 where that can't be done. Constant.
  [[nodiscard]] virtual std::uint64_t span(Operation operation) const = 0;
  /// Bytes that came from the device or went to it for us so far. A disk that can't tell adds what it transferred.
  [[nodiscard]] virtual std::uint64_t device_bytes() = 0;
};

}  // namespace fairfs::probe
