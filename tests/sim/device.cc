#include "tests/sim/device.h"

#include <algorithm>

namespace fairfs::test {
namespace {

/// A head that finds its place this far ahead waits for it to pass instead of seeking.
constexpr std::uint64_t kSkipBytes = 256 * 1024;

}  // namespace

SimpleDevice::SimpleDevice(const DeviceModel& model, Seed seed)
    : model_(model), random_(seed), free_(model.channels), spindles_(model.spindles) {}

void SimpleDevice::start(std::uint64_t id, const Access& access, sched::Time now) {
  ends_.push({end_of(access, now), started_++, id});
}

void SimpleDevice::advance(sched::Time now, std::vector<std::uint64_t>& ended) {
  for (; !ends_.empty() && ends_.top().at <= now; ends_.pop()) ended.push_back(ends_.top().id);
}

sched::Time SimpleDevice::end_of(const Access& access, sched::Time now) {
  if (model_.seek == sched::Duration::zero()) {
    const std::uint64_t percent = random_.between(100 - model_.noise_percent, 100 + model_.noise_percent);
    sched::Time& channel = *std::min_element(free_.begin(), free_.end());
    const std::uint64_t parts = percent * (model_.whole_costs ? model_.channels : 1);
    channel = std::max(channel, now) + slowed(access.cost * static_cast<sched::Duration::rep>(parts) / 100);
    return channel;
  }
  sched::Time end = now;
  for (std::uint64_t done = 0; done < access.bytes;) {
    const std::uint64_t offset = access.offset + done;
    const std::uint64_t piece = std::min(access.bytes - done, model_.stripe - offset % model_.stripe);
    const std::uint64_t row = offset / model_.stripe / model_.spindles;
    Spindle& spindle = spindles_[offset / model_.stripe % model_.spindles];
    end = std::max(end, move(spindle, access.inode, row * model_.stripe + offset % model_.stripe, piece, now));
    done += piece;
  }
  return end;
}

sched::Time SimpleDevice::move(Spindle& spindle, std::uint64_t inode, std::uint64_t offset, std::uint64_t bytes,
                               sched::Time now) {
  const bool near = spindle.inode == inode && offset >= spindle.end && offset - spindle.end <= kSkipBytes;
  const sched::Duration time = slowed((near ? transfer(offset - spindle.end) : model_.seek) + transfer(bytes));
  spindle.inode = inode;
  spindle.end = offset + bytes;
  spindle.free = std::max(spindle.free, now) + time;
  return spindle.free;
}

sched::Duration SimpleDevice::transfer(std::uint64_t bytes) const {
  return sched::Duration{static_cast<sched::Duration::rep>(bytes * 1'000'000'000 / model_.bytes_per_s)};
}

sched::Duration SimpleDevice::slowed(sched::Duration time) const {
  return sched::Duration{static_cast<sched::Duration::rep>(static_cast<double>(time.count()) * slowness_)};
}

}  // namespace fairfs::test
