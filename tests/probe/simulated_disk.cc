#include "tests/probe/simulated_disk.h"

#include <algorithm>

namespace fairfs::test {
namespace {

constexpr std::uint64_t kOthers = std::uint64_t{1} << 32;  // ids from here on are not the probe's

}  // namespace

void NoisyChannels::submit(const IoRequest& request, Time now) {
  if (active_.size() < channels_) {
    start(request.id, now);
  } else {
    waiting_.push_back(request.id);
  }
}

void NoisyChannels::start(std::uint64_t id, Time now) {
  // A linear congruential generator (Knuth's MMIX): its high bits are random enough for a fifth up and down.
  random_ = random_ * 6364136223846793005U + 1442695040888963407U;
  const double noise = static_cast<double>(random_ >> 11) / static_cast<double>(std::uint64_t{1} << 53);
  active_.emplace(now + slowed(latency_, slowness_ * (0.8 + 0.4 * noise)), id);
}

void NoisyChannels::advance(Time now, Outcome& outcome) {
  while (!active_.empty() && active_.begin()->first <= now) {
    const auto [at, id] = *active_.begin();
    active_.erase(active_.begin());
    outcome.done.push_back(id);
    if (waiting_.empty()) continue;
    start(waiting_.front(), at);
    waiting_.erase(waiting_.begin());
  }
}

void SimulatedDisk::start(std::span<const probe::Transfer> transfers) {
  for (const probe::Transfer& transfer : transfers) {
    const bool fails = error != 0 && transfer.operation == failing;
    in_flight_[transfer.slot] = fails ? error : 0;
    bytes_ += transfer.bytes;
    const IoKind kind = transfer.operation == probe::Operation::read    ? IoKind::read
                        : transfer.operation == probe::Operation::write ? IoKind::write
                                                                        : IoKind::flush;
    device_->submit({transfer.slot, kind, transfer.offset, transfer.bytes}, now_);
  }
}

void SimulatedDisk::wait(Time deadline, std::vector<probe::Ended>& ended) {
  const std::size_t before = ended.size();
  while (ended.size() == before && now_ < deadline) {
    if (others) others(*device_, now_);
    now_ = std::min(device_->next_event(), deadline);
    outcome_ = {};
    device_->advance(now_, outcome_);
    for (const std::uint64_t id : outcome_.done) {
      if (id >= kOthers) continue;
      const auto found = in_flight_.extract(id);
      ended.push_back({static_cast<std::uint32_t>(id), found.mapped()});
    }
  }
}

}  // namespace fairfs::test
