// A model of tests/diskemu as the simulation's disk: the geometry that the scenarios run on, without their clocks.
#pragma once

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sched/disk_profile.h"
#include "tests/diskemu/device.h"
#include "tests/sim/disk_model.h"

namespace fairfs::test {

/// A device at the end of a way that takes time: filesystem, loop device and FUSE.
class DistantDevice final : public Device {
 public:
  DistantDevice(std::unique_ptr<Device> device, Duration way) : device_(std::move(device)), way_(way) {}

  void submit(const IoRequest& request, Time now) override { on_its_way_.push_back({now + way_, request}); }
  [[nodiscard]] Time next_event() const override {
    return std::min(device_->next_event(), on_its_way_.empty() ? kNever : on_its_way_.front().arrives);
  }
  [[nodiscard]] bool saturated() const override { return false; }
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override { device_->set_slowness(factor); }

 private:
  struct OnItsWay {
    Time arrives;
    IoRequest request;
  };
  std::unique_ptr<Device> device_;
  const Duration way_;
  std::deque<OnItsWay> on_its_way_;  // in order of arrival: the way is equally long for all
};

struct EmulatedDiskConfig {
  std::string model = "hdd";                            ///< as diskemu's --model
  std::uint64_t capacity = std::uint64_t{4} << 30;      ///< bytes
  std::uint64_t file_bytes = std::uint64_t{256} << 20;  ///< each file's stretch; offsets beyond it wrap round
  Duration way = std::chrono::microseconds{60};
};

/// Files lie one after the other in the order of their inodes.
class EmulatedDisk final : public DiskModel {
 public:
  explicit EmulatedDisk(const EmulatedDiskConfig& config);

  void start(std::uint64_t id, const Access& access, sched::Time now) override;
  [[nodiscard]] sched::Time next_event() const override { return device_.next_event(); }
  void advance(sched::Time now, std::vector<std::uint64_t>& ended) override;
  void set_slowness(double factor) override { device_.set_slowness(factor); }
  /// As the emulator accounts it.
  [[nodiscard]] sched::Duration worked(std::uint64_t inode) const override;

 private:
  [[nodiscard]] std::uint64_t place(std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes) const;

  const EmulatedDiskConfig config_;
  DistantDevice device_;
  std::map<std::uint64_t, sched::Duration> worked_;
  Outcome outcome_;
};

/// What fairfs's own probe says of the model; measured once for each.
[[nodiscard]] const sched::DiskProfile& probed_profile(const EmulatedDiskConfig& config);

}  // namespace fairfs::test
