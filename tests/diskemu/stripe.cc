#include "tests/diskemu/stripe.h"

#include <algorithm>
#include <utility>

namespace fairfs::test {

Stripe::Stripe(std::vector<std::unique_ptr<Device>> members, std::uint64_t chunk_bytes)
    : members_{std::move(members)}, chunk_bytes_{chunk_bytes} {}

void Stripe::submit(const IoRequest& request, Time now) {
  if (request.kind == IoKind::flush) {
    unfinished_[request.id] = members_.size();
    for (std::size_t member = 0; member < members_.size(); ++member) {
      submit_part(member, {0, IoKind::flush, 0, 0}, request.id, now);
    }
    return;
  }
  // All parts are counted before the first is submitted; each is within one chunk.
  const std::uint64_t first = request.offset / chunk_bytes_;
  const std::uint64_t last = (request.offset + std::max<std::uint64_t>(request.bytes, 1) - 1) / chunk_bytes_;
  unfinished_[request.id] = last - first + 1;
  std::uint64_t offset = request.offset;
  for (std::uint64_t chunk = first; chunk <= last; ++chunk) {
    const std::uint64_t bytes = std::min(request.offset + request.bytes, (chunk + 1) * chunk_bytes_) - offset;
    const std::uint64_t inside = chunk / members_.size() * chunk_bytes_ + offset % chunk_bytes_;
    submit_part(chunk % members_.size(), {0, request.kind, inside, bytes}, request.id, now);
    offset += bytes;
  }
}

void Stripe::submit_part(std::size_t member, IoRequest part, std::uint64_t request, Time now) {
  part.id = next_part_++;
  parts_.emplace(part.id, request);
  members_[member]->submit(part, now);
}

Time Stripe::next_event() const {
  Time next = kNever;
  for (const auto& member : members_) next = std::min(next, member->next_event());
  return next;
}

bool Stripe::saturated() const {
  return std::all_of(members_.begin(), members_.end(), [](const auto& member) { return member->saturated(); });
}

void Stripe::advance(Time now, Outcome& outcome) {
  const auto count = static_cast<Duration::rep>(members_.size());
  for (std::size_t member = 0; member < members_.size(); ++member) {
    scratch_.done.clear();
    scratch_.work.clear();
    members_[member]->advance(now, scratch_);
    for (const Work& work : scratch_.work) {
      outcome.work.push_back({host_offset(member, work.offset), work.bytes, work.busy / count});
    }
    for (const std::uint64_t id : scratch_.done) {
      const auto part = parts_.extract(id);
      const auto request = unfinished_.find(part.mapped());
      if (--request->second > 0) continue;
      outcome.done.push_back(request->first);
      unfinished_.erase(request);
    }
  }
}

std::uint64_t Stripe::host_offset(std::size_t member, std::uint64_t offset) const {
  return (offset / chunk_bytes_ * members_.size() + member) * chunk_bytes_ + offset % chunk_bytes_;
}

void Stripe::set_slowness(double factor) {
  for (const auto& member : members_) member->set_slowness(factor);
}

}  // namespace fairfs::test
