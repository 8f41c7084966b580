#include "tests/diskemu/flash.h"

#include <algorithm>

namespace fairfs::test {

void Flash::submit(const IoRequest& request, Time now) {
  if (active_.size() < config_.channels) {
    start(request, now);
  } else {
    waiting_.push_back(request);
  }
}

void Flash::start(const IoRequest& request, Time now) {
  Active active{now, started_++, request, {}};
  if (request.kind != IoKind::flush) {  // what was answered is in the cells already
    const Duration latency = request.kind == IoKind::read ? config_.read_latency : config_.write_latency;
    const Duration transfer = slowed(transfer_time(request.bytes, config_.bytes_per_s), slowness_);
    bus_free_ = std::max(bus_free_, now) + transfer;
    active.finish = std::max(now + slowed(latency, slowness_), bus_free_);
    const auto share = slowed(latency, slowness_) / static_cast<Duration::rep>(config_.channels);
    active.work = std::max(share, transfer);
  }
  active_.push(active);
}

void Flash::advance(Time now, Outcome& outcome) {
  while (!active_.empty() && active_.top().finish <= now) {
    const Active ended = active_.top();
    active_.pop();
    outcome.done.push_back(ended.request.id);
    if (ended.request.kind != IoKind::flush) {
      outcome.work.push_back({ended.request.offset, ended.request.bytes, ended.work});
    }
    if (waiting_.empty()) continue;
    start(waiting_.front(), ended.finish);
    waiting_.pop_front();
  }
}

}  // namespace fairfs::test
