#include "sched/write_behind.h"

#include <algorithm>

#include "sched/check.h"

namespace fairfs::sched {
namespace {

/// Small files of one piece: they share a turn, so that a thousand of them don't take a thousand.
constexpr std::size_t kSpansMax = 64;
/// Pieces of one writer on the way, in its queue or in the disk: more is of no use to any disk's depth.
constexpr std::uint64_t kPiecesMax = 32;

/// Takes the first dirty bytes at or behind `from`, within one stretch.
DirtyExtents::Span take_from(DirtyExtents& extents, std::uint64_t from, std::uint64_t most, std::uint64_t room) {
  return extents.take(from, std::min(most, DirtyExtents::kStretchBytes), room);
}

/// Makes `next` part of `last` if it goes on where that ends.
bool joined(DirtyExtents::Span& last, const DirtyExtents::Span& next) {
  if (next.offset != last.offset + last.length) return false;
  last.length += next.length;
  last.bytes += next.bytes;
  return true;
}

}  // namespace

void WriteBehind::wrote(WriterId writer, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now) {
  if (first_ || writers_.empty()) return enter_early(writer, file, offset, bytes, now);
  enter(writer, file, offset, bytes, now);
}

void WriteBehind::enter(WriterId writer_id, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now) {
  Writer& writer = writers_[writer_id];
  std::vector<Part>& parts = files_[file];
  auto part = std::find_if(parts.begin(), parts.end(), [&](const Part& each) { return each.writer == writer_id; });
  if (part == parts.end()) {
    part = parts.insert(part, Part{.writer = writer_id, .extents = {}, .serial = ++serial_, .position = 0});
    writer.files.push_back({file, part->serial, now});
  }
  const std::uint64_t added = part->extents.add(offset, bytes);
  writer.dirty += added;
  dirty_ += added;
}

WriteBehind::Part* WriteBehind::part_of(const Waiting& waiting, WriterId writer) {
  const auto file = files_.find(waiting.file);
  if (file == files_.end()) return nullptr;
  const auto part = std::find_if(file->second.begin(), file->second.end(), [&](const Part& each) {
    return each.writer == writer && each.serial == waiting.serial;
  });
  return part == file->second.end() ? nullptr : &*part;
}

WriteBehind::Part* WriteBehind::oldest(WriterId id, Writer& writer) {
  while (!writer.files.empty()) {
    if (Part* const part = part_of(writer.files.front(), id)) return part;
    writer.files.pop_front();
  }
  return nullptr;
}

bool WriteBehind::due(const Writer& writer, std::uint64_t allowance, Time now) const {
  return pushing_all_ || writer.dirty - writer.submitted > allowance / 2 ||
         now - writer.files.front().since >= config_.age_max;
}

std::optional<Piece> WriteBehind::next(WriterId id, Time now, std::uint64_t most) {
  if (first_) {
    if (!pushing_all_ && now - first_->since < config_.age_max) return std::nullopt;
    settle();
  }
  const auto known = writers_.find(id);
  if (known == writers_.end()) return std::nullopt;
  Writer& writer = known->second;
  // More than the disk may hold: a writer that has nothing queued at the moment of a decision counts as idle and loses
  // its place. One may start and one end at that moment, and one must still be there.
  if (writer.submitted >= window() + 3 * std::max(most, kPieceBytes) || writer.pieces >= kPiecesMax)
    return std::nullopt;
  const std::uint64_t allowed = allowance(writer);
  if (writer.files.empty() || !due(writer, allowed, now)) return std::nullopt;  // most calls end here
  Piece piece{.writer = id, .spans = {}, .bytes = 0};
  while (piece.bytes < most && piece.spans.size() < kSpansMax) {
    Part* const part = oldest(id, writer);
    if (part == nullptr) break;
    const FileId file = writer.files.front().file;
    FileSpan* const last = piece.spans.empty() ? nullptr : &piece.spans.back();
    // What goes on where the piece ends fills it, although less would do: a stream's pieces are large ones.
    const bool goes_on = last != nullptr && last->file == file && part->extents.starts_at(part->position);
    if (!goes_on && !due(writer, allowed, now)) break;
    const DirtyExtents::Span span = take_from(part->extents, part->position, most, most - piece.bytes);
    part->position = span.offset + span.length;
    if (last == nullptr || last->file != file || !joined(last->span, span)) piece.spans.push_back({file, span});
    piece.bytes += span.bytes;
    writer.submitted += span.bytes;
    drop_clean_parts(file);
  }
  if (piece.spans.empty()) return std::nullopt;
  ++writer.pieces;
  return piece;
}

void WriteBehind::finished(const Piece& piece, bool was_started, Time now) {
  if (was_started) rate_.finished(piece.bytes, now);
  Writer& writer = writers_.at(piece.writer);
  FAIRFS_CHECK(writer.submitted >= piece.bytes && writer.pieces > 0);
  writer.submitted -= piece.bytes;
  --writer.pieces;
  clean(piece.writer, piece.bytes);
}

void WriteBehind::clean(WriterId id, std::uint64_t bytes) {
  const auto known = writers_.find(id);
  Writer& writer = known->second;
  FAIRFS_CHECK(writer.dirty >= bytes);
  writer.dirty -= bytes;
  dirty_ -= bytes;
  if (writer.dirty != 0 || writer.pieces != 0) return;
  if (writer.share) {
    shares_ = --with_share_ == 0 ? 0 : shares_ - *writer.share;
  }
  writers_.erase(known);
}

void WriteBehind::drop_clean_parts(FileId file) {
  const auto known = files_.find(file);
  std::erase_if(known->second, [](const Part& part) { return part.extents.bytes() == 0; });
  if (known->second.empty()) files_.erase(known);
}

std::vector<DirtyExtents::Span> WriteBehind::take(FileId file, std::uint64_t most) {
  settle();
  std::vector<DirtyExtents::Span> spans;
  const auto known = files_.find(file);
  if (known == files_.end()) return spans;
  for (Part& part : known->second) {
    const std::uint64_t bytes = part.extents.bytes();
    while (part.extents.bytes() != 0) {
      const DirtyExtents::Span span = take_from(part.extents, 0, most, most);
      if (spans.empty() || spans.back().length + span.length > most || !joined(spans.back(), span))
        spans.push_back(span);
    }
    clean(part.writer, bytes);
  }
  files_.erase(known);
  return spans;
}

void WriteBehind::truncate(FileId file, std::uint64_t size) {
  if (first_) {
    if (first_->file != file) return;
    if (size <= first_->span.offset) return first_.reset();
    settle();
  }
  const auto known = files_.find(file);
  if (known == files_.end()) return;
  for (Part& part : known->second) clean(part.writer, part.extents.cut(size));
  drop_clean_parts(file);
}

void WriteBehind::set_share(WriterId id, double share) {
  settle();
  const auto known = writers_.find(id);
  if (known == writers_.end()) return;
  if (!known->second.share) ++with_share_;
  shares_ += share - known->second.share.value_or(0);
  known->second.share = share;
}

std::uint64_t WriteBehind::allowance(const Writer& writer) const {
  if (writers_.size() == 1 && with_share_ == 0) return allowed_to_all();
  const double mean = with_share_ == 0 ? 1 : shares_ / static_cast<double>(with_share_);
  const double all = shares_ + mean * static_cast<double>(writers_.size() - with_share_);
  return static_cast<std::uint64_t>(static_cast<double>(allowed_to_all()) *
                                    std::min(1.0, writer.share.value_or(mean) / all));
}

std::uint64_t WriteBehind::window() const {
  return std::max(2 * kPieceBytes, rate_.bytes_in(config_.in_flight_target));
}

}  // namespace fairfs::sched
