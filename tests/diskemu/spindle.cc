#include "tests/diskemu/spindle.h"

#include <algorithm>
#include <cmath>

namespace fairfs::test {

Spindle::Spindle(const SpindleConfig& config)
    : config_{config},
      track_bytes_{static_cast<std::uint64_t>(static_cast<double>(config.bytes_per_s) *
                                              std::chrono::duration<double>(config.rotation).count())} {}

void Spindle::submit(const IoRequest& request, Time now) {
  queue_.push_back({request, now});
  if (!active_) start(now);
}

void Spindle::advance(Time now, Outcome& outcome) {
  while (active_ && active_->finish <= now) {
    const Active ended = *active_;
    active_.reset();
    outcome.done.push_back(ended.request.id);
    if (ended.request.kind != IoKind::flush) {
      outcome.work.push_back({ended.request.offset, ended.request.bytes, ended.finish - ended.start});
      head_ = ended.request.offset + ended.request.bytes;
      head_free_ = ended.finish;
    }
    if (!queue_.empty()) start(ended.finish);
  }
}

std::size_t Spindle::pick(Time now) const {
  if (now - queue_.front().arrived >= config_.age_max) return 0;
  const auto distance = [this](const Queued& queued) {
    if (queued.request.kind == IoKind::flush) return std::uint64_t{0};
    return std::max(queued.request.offset, head_) - std::min(queued.request.offset, head_);
  };
  const auto end = queue_.begin() + static_cast<std::ptrdiff_t>(std::min(queue_.size(), config_.queue_depth));
  const auto nearest = std::min_element(
      queue_.begin(), end, [&distance](const Queued& a, const Queued& b) { return distance(a) < distance(b); });
  return static_cast<std::size_t>(nearest - queue_.begin());
}

void Spindle::start(Time now) {
  const auto chosen = queue_.begin() + static_cast<std::ptrdiff_t>(pick(now));
  const Queued queued = *chosen;
  queue_.erase(chosen);
  const Duration service = slowed(service_time(queued.request, queued.arrived, now), slowness_);
  active_ = Active{queued.request, now, now + service};
}

Duration Spindle::service_time(const IoRequest& request, Time arrived, Time start) const {
  if (request.kind == IoKind::flush) return {};  // what was answered is on the platter already
  const Duration transfer = transfer_time(request.bytes, config_.bytes_per_s);
  const bool follows = request.offset == head_;
  if (follows && (request.kind == IoKind::read || arrived <= head_free_)) return transfer;
  Duration seek{};
  if (!follows) {
    const auto distance = std::max(request.offset, head_) - std::min(request.offset, head_);
    const double stroke = static_cast<double>(distance) / static_cast<double>(config_.capacity);
    seek = config_.seek_min + slowed(config_.seek_max - config_.seek_min, std::sqrt(std::min(stroke, 1.0)));
  }
  return seek + rotational_wait(request.offset, start + seek) + transfer;
}

Duration Spindle::rotational_wait(std::uint64_t offset, Time when) const {
  const double target = static_cast<double>(offset % track_bytes_) / static_cast<double>(track_bytes_);
  const auto turn = config_.rotation.count();
  const double angle = static_cast<double>(when.time_since_epoch().count() % turn) / static_cast<double>(turn);
  const double ahead = target - angle;
  return slowed(config_.rotation, ahead < 0 ? ahead + 1 : ahead);
}

}  // namespace fairfs::test
