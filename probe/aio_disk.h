// The real disk behind the probe's seam: libaio, direct.
#pragma once

#include <libaio.h>

#include <array>
#include <span>
#include <vector>

#include "probe/area.h"
#include "probe/disk.h"

namespace fairfs::probe {

class AioDisk final : public Disk {
 public:
  /// Borrows both; they may be the same. Throws std::system_error when there is no asynchronous I/O to be had.
  AioDisk(const Area& read, const Area& write);
  /// Waits for what is in flight.
  ~AioDisk() override;

  [[nodiscard]] Time now() override;
  void start(std::span<const Transfer> transfers) override;
  void wait(Time deadline, std::vector<Ended>& ended) override;
  [[nodiscard]] std::uint64_t span(Operation operation) const override;
  [[nodiscard]] std::uint64_t device_bytes() override;

 private:
  const Area& read_;
  const Area& write_;
  io_context_t context_ = nullptr;
  std::array<iocb, kDepthMax> blocks_{};
  std::array<Transfer, kDepthMax> transfers_{};
  std::vector<iocb*> batch_;
  std::vector<Ended> refused_;
  std::uint64_t transferred_ = 0;  // where the kernel doesn't count for us
  Noise noise_;                    // every write's data
  Noise sink_;                     // every read's: nobody looks at it
};

}  // namespace fairfs::probe
