#include "tests/rows/emulated_disk.h"

#include <algorithm>

#include "tests/diskemu/model_spec.h"
#include "tests/probe/measure.h"

namespace fairfs::test {

void DistantDevice::advance(Time now, Outcome& outcome) {
  device_->advance(now, outcome);
  for (; !on_its_way_.empty() && on_its_way_.front().arrives <= now; on_its_way_.pop_front()) {
    device_->submit(on_its_way_.front().request, now);
  }
}

EmulatedDisk::EmulatedDisk(const EmulatedDiskConfig& config)
    : config_(config), device_(make_device(config.model, config.capacity), config.way) {}

std::uint64_t EmulatedDisk::place(std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes) const {
  const std::uint64_t files = config_.capacity / config_.file_bytes;
  constexpr std::uint64_t kBlock = 4096;
  const std::uint64_t inside = std::min(offset % config_.file_bytes, config_.file_bytes - bytes) / kBlock * kBlock;
  return inode % files * config_.file_bytes + inside;
}

void EmulatedDisk::start(std::uint64_t id, const Access& access, sched::Time now) {
  IoRequest request;
  request.id = id;
  request.kind = access.operation == sched::Operation::read    ? IoKind::read
                 : access.operation == sched::Operation::write ? IoKind::write
                                                               : IoKind::flush;
  request.offset = place(access.inode, access.offset, access.bytes);
  request.bytes = access.bytes;
  device_.submit(request, now);
}

void EmulatedDisk::advance(sched::Time now, std::vector<std::uint64_t>& ended) {
  outcome_ = {};
  device_.advance(now, outcome_);
  for (const Work& work : outcome_.work) worked_[work.offset / config_.file_bytes] += work.busy;
  ended.insert(ended.end(), outcome_.done.begin(), outcome_.done.end());
}

sched::Duration EmulatedDisk::worked(std::uint64_t inode) const {
  const auto found = worked_.find(inode % (config_.capacity / config_.file_bytes));
  return found == worked_.end() ? sched::Duration{} : found->second;
}

const sched::DiskProfile& probed_profile(const EmulatedDiskConfig& config) {
  static std::map<std::string, sched::DiskProfile> known;
  const auto [entry, is_new] = known.try_emplace(config.model);
  if (is_new) {
    SimulatedDisk disk{std::make_unique<DistantDevice>(make_device(config.model, config.capacity), config.way),
                       std::uint64_t{1} << 30};
    entry->second = measure(disk, 1).profile();
  }
  return entry->second;
}

}  // namespace fairfs::test
