// The modelled disks of tests/diskemu behind the probe's seam, on a simulated clock.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "probe/disk.h"
#include "tests/diskemu/device.h"

namespace fairfs::test {

/// n channels that each take `latency` per request, give or take up to a fifth of it, independently: any channel takes
/// the request that came first.
class NoisyChannels final : public Device {
 public:
  NoisyChannels(std::size_t channels, Duration latency, std::uint64_t seed)
      : latency_(latency), random_(seed), channels_(channels) {}
  void submit(const IoRequest& request, Time now) override;
  [[nodiscard]] Time next_event() const override { return active_.empty() ? kNever : active_.begin()->first; }
  [[nodiscard]] bool saturated() const override { return false; }
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override { slowness_ = factor; }

 private:
  void start(std::uint64_t id, Time now);

  const Duration latency_;
  std::uint64_t random_;
  std::size_t channels_;
  double slowness_ = 1;
  std::multimap<Time, std::uint64_t> active_;
  std::vector<std::uint64_t> waiting_;
};

class SimulatedDisk final : public probe::Disk {
 public:
  /// Reads and writes anywhere in `span` bytes of `device`.
  SimulatedDisk(std::unique_ptr<Device> device, std::uint64_t span) : device_(std::move(device)), span_(span) {}

  [[nodiscard]] Time now() override { return now_; }
  void start(std::span<const probe::Transfer> transfers) override;
  void wait(Time deadline, std::vector<probe::Ended>& ended) override;
  [[nodiscard]] std::uint64_t span(probe::Operation) const override { return span_; }
  [[nodiscard]] std::uint64_t device_bytes() override { return answers_from_memory ? 0 : bytes_; }

  /// Faults. `error` is what every transfer of `failing` ends with.
  bool answers_from_memory = false;
  int error = 0;
  probe::Operation failing = probe::Operation::read;
  /// Called before each wait: other programs may use the device.
  std::function<void(Device&, Time)> others;

 private:
  std::unique_ptr<Device> device_;
  const std::uint64_t span_;
  Time now_{};
  std::uint64_t bytes_ = 0;
  std::map<std::uint64_t, int> in_flight_;  // error by slot
  Outcome outcome_;
};

}  // namespace fairfs::test
