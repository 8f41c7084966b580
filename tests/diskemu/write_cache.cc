#include "tests/diskemu/write_cache.h"

#include <algorithm>
#include <utility>

namespace fairfs::test {
namespace {

// The host's ids and the cache's own live on the same disk: the cache's have the top bit.
constexpr std::uint64_t kOwnId = std::uint64_t{1} << 63;

using Extents = std::map<std::uint64_t, std::uint64_t>;

// The first stretch that ends after `start`.
Extents::const_iterator first_after(const Extents& extents, std::uint64_t start) {
  auto next = extents.upper_bound(start);
  if (next != extents.begin() && std::prev(next)->second > start) return std::prev(next);
  return next;
}

void insert_merged(Extents& extents, std::uint64_t start, std::uint64_t end) {
  auto next = extents.lower_bound(start);
  if (next != extents.begin() && std::prev(next)->second == start) {
    start = std::prev(next)->first;
    extents.erase(std::prev(next));
  }
  if (next != extents.end() && next->first == end) {
    end = next->second;
    extents.erase(next);
  }
  extents[start] = end;
}

}  // namespace

WriteCache::WriteCache(std::unique_ptr<Device> disk, const WriteCacheConfig& config)
    : disk_{std::move(disk)}, config_{config}, generations_(1), next_destage_{kOwnId} {}

void WriteCache::submit(const IoRequest& request, Time now) {
  switch (request.kind) {
    case IoKind::read:
      if (is_dirty(request.offset, request.offset + request.bytes)) {
        answer(request.id, request.bytes, now);
      } else {
        disk_->submit(request, now);
      }
      return;
    case IoKind::write:
    case IoKind::flush:
      waiting_.push_back(request);
      admit_waiting(now);
      destage(now);
      return;
  }
}

void WriteCache::admit_waiting(Time now) {
  while (!waiting_.empty()) {
    const IoRequest request = waiting_.front();
    if (request.kind == IoKind::flush) {
      if (config_.battery) {
        answer(request.id, 0, now);
      } else {
        generations_.back().flushes.push_back(request.id);
        generations_.emplace_back();
      }
    } else {
      if (used_ > 0 && used_ + request.bytes > config_.capacity) break;
      accept_write(request, now);
    }
    waiting_.pop_front();
  }
  settle_flushes(now);
}

void WriteCache::accept_write(const IoRequest& request, Time now) {
  // Only what is not dirty yet in any generation becomes dirty now.
  Extents fresh{{request.offset, request.offset + request.bytes}};
  for (const Generation& generation : generations_) {
    Extents left;
    for (const auto& [first, end] : fresh) {
      std::uint64_t start = first;
      for (auto at = first_after(generation.dirty, start); at != generation.dirty.end() && at->first < end; ++at) {
        if (at->first > start) left[start] = at->first;
        start = std::min(end, at->second);
      }
      if (start < end) left[start] = end;
    }
    fresh = std::move(left);
  }
  for (const auto& [start, end] : fresh) {
    insert_merged(generations_.back().dirty, start, end);
    used_ += end - start;
  }
  answer(request.id, request.bytes, now);
}

void WriteCache::destage(Time now) {
  for (std::uint64_t index = 0; index < generations_.size(); ++index) {
    Generation& generation = generations_[index];
    while (destages_.size() < config_.destages && !generation.dirty.empty()) {
      auto chosen = generation.dirty.lower_bound(position_);
      if (chosen == generation.dirty.end()) chosen = generation.dirty.begin();
      const auto [start, end] = *chosen;
      const std::uint64_t bytes = std::min(end - start, config_.destage_bytes);
      generation.dirty.erase(chosen);
      if (start + bytes < end) generation.dirty[start + bytes] = end;
      position_ = start + bytes;
      ++generation.destaging;
      destages_[next_destage_] = {oldest_ + index, bytes};
      disk_->submit({next_destage_++, IoKind::write, start, bytes}, now);
    }
  }
}

void WriteCache::settle_flushes(Time now) {
  while (generations_.size() > 1 && generations_.front().dirty.empty() && generations_.front().destaging == 0) {
    for (const std::uint64_t id : generations_.front().flushes) answer(id, 0, now);
    generations_.pop_front();
    ++oldest_;
  }
}

void WriteCache::answer(std::uint64_t id, std::uint64_t bytes, Time now) {
  free_ = std::max(free_, now) + slowed(transfer_time(bytes, config_.bytes_per_s), slowness_);
  answers_.emplace(free_ + (bytes > 0 ? slowed(config_.latency, slowness_) : Duration{}), id);
}

bool WriteCache::is_dirty(std::uint64_t start, std::uint64_t end) const {
  return std::any_of(generations_.begin(), generations_.end(), [start, end](const Generation& generation) {
    const auto at = first_after(generation.dirty, start);
    return at != generation.dirty.end() && at->first <= start && at->second >= end;
  });
}

Time WriteCache::next_event() const {
  return std::min(disk_->next_event(), answers_.empty() ? kNever : answers_.begin()->first);
}

void WriteCache::advance(Time now, Outcome& outcome) {
  // One event at a time: what a finished destage makes room for starts when it finished.
  for (Time next = next_event(); next <= now; next = next_event()) step(next, outcome);
}

void WriteCache::step(Time now, Outcome& outcome) {
  scratch_.done.clear();
  disk_->advance(now, scratch_);
  outcome.work.insert(outcome.work.end(), scratch_.work.begin(), scratch_.work.end());
  scratch_.work.clear();
  for (const std::uint64_t id : scratch_.done) {
    if ((id & kOwnId) == 0) {
      outcome.done.push_back(id);
      continue;
    }
    const Destage ended = destages_.extract(id).mapped();
    used_ -= ended.bytes;
    --generations_[ended.generation - oldest_].destaging;
  }
  admit_waiting(now);
  destage(now);
  while (!answers_.empty() && answers_.begin()->first <= now) {
    outcome.done.push_back(answers_.begin()->second);
    answers_.erase(answers_.begin());
  }
}

void WriteCache::set_slowness(double factor) {
  slowness_ = factor;
  disk_->set_slowness(factor);
}

}  // namespace fairfs::test
