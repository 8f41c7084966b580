#include "sched/space_plan.h"

#include <algorithm>

namespace fairfs::sched {

std::optional<SpacePlan::Range> SpacePlan::grows(FileId id, const Range& run, Time now) {
  File& file = files_[id];
  file.seen = now;
  file.end = run.offset + run.bytes;
  if (file.end <= file.reserved_to || file.end < file.try_from) return std::nullopt;
  const bool beside = std::any_of(files_.begin(), files_.end(), [&](const auto& other) {
    return other.first != id && now - other.second.seen < kBeside;
  });
  if (!beside) return std::nullopt;
  const std::uint64_t from = std::max(run.offset, file.reserved_to);
  const std::uint64_t ahead = std::clamp(kGrowth * run.bytes, kAheadLeast, kAheadMost);
  return Range{from, file.end + ahead - from};
}

std::uint64_t SpacePlan::allowed(FileId id, const Range& wanted, std::uint64_t free) const {
  std::uint64_t ahead = 0;
  for (const auto& [other, file] : files_)
    if (file.reserved_to > file.end) ahead += file.reserved_to - file.end;
  const std::uint64_t most = free / kFreePart;
  if (ahead >= most) return 0;
  const std::uint64_t unwritten = wanted.offset + wanted.bytes - files_.at(id).end;
  const std::uint64_t less = unwritten - std::min(unwritten, most - ahead);
  return unwritten - less < kAheadLeast ? 0 : wanted.bytes - less;
}

void SpacePlan::reserved(FileId id, const Range& range) { files_[id].reserved_to = range.offset + range.bytes; }

void SpacePlan::refused(FileId id) {
  File& file = files_[id];
  file.try_from = file.end + kAheadLeast;
}

bool SpacePlan::has_reserved(FileId id) const {
  const auto known = files_.find(id);
  return known != files_.end() && known->second.reserved_to != 0;
}

std::vector<FileId> SpacePlan::take_idle(Time now) {
  std::vector<FileId> idle;
  for (const auto& [id, file] : files_)
    if (file.reserved_to == 0 && now - file.seen >= kBeside) idle.push_back(id);
  for (const FileId id : idle) files_.erase(id);
  return idle;
}

}  // namespace fairfs::sched
