// Write-behind while next to nothing is dirty: a first write that a flush follows at once, and what is dirty for whom.
#include "sched/write_behind.h"

namespace fairfs::sched {

// As its writer is the only one, it may have far more than this before any of it is due, but for its age.
static_assert(DirtyExtents::kStretchBytes <= WriteBehind::kDirtyMin / 2, "a first write is not due by its size");

void WriteBehind::enter_early(WriterId writer, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now) {
  settle();
  const std::optional<DirtyExtents::Span> span = DirtyExtents::span_of(offset, bytes);
  if (!span || !writers_.empty()) return enter(writer, file, offset, bytes, now);
  first_ = FirstWrite{.writer = writer, .file = file, .span = *span, .since = now};
}

void WriteBehind::settle() {
  if (!first_) return;
  const FirstWrite first = *first_;
  enter(first.writer, first.file, first.span.offset, first.span.length, first.since);
  first_.reset();
}

bool WriteBehind::leave_to_flush(FileId file, std::uint64_t most) {
  if (first_) {
    if (first_->file != file) return true;
    if (first_->span.bytes > most) return false;
    first_.reset();
    return true;
  }
  const auto known = files_.find(file);
  if (known == files_.end()) return true;
  std::uint64_t bytes = 0;
  for (const Part& part : known->second) bytes += part.extents.bytes();
  if (bytes > most) return false;
  for (const Part& part : known->second) clean(part.writer, part.extents.bytes());
  files_.erase(known);
  return true;
}

std::uint64_t WriteBehind::allowance(WriterId id) const {
  if (first_ && first_->writer == id) return allowed_to_all();
  const auto known = writers_.find(id);
  return known == writers_.end() ? 0 : allowance(known->second);
}

bool WriteBehind::over_allowance(WriterId id) const {
  if (first_) return false;
  const auto known = writers_.find(id);
  return known != writers_.end() && known->second.dirty > allowance(known->second);
}

std::uint64_t WriteBehind::dirty(WriterId id) const {
  if (first_ && first_->writer == id) return first_->span.bytes;
  const auto known = writers_.find(id);
  return known == writers_.end() ? 0 : known->second.dirty;
}

std::uint64_t WriteBehind::submitted(WriterId id) const {
  const auto known = writers_.find(id);
  return known == writers_.end() ? 0 : known->second.submitted;
}

std::vector<WriterId> WriteBehind::writers() const {
  if (first_) return {first_->writer};
  std::vector<WriterId> all;
  all.reserve(writers_.size());
  for (const auto& [id, writer] : writers_) all.push_back(id);
  return all;
}

}  // namespace fairfs::sched
