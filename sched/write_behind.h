// Write-behind: how much may be dirty for whom, and what is written when. Pure: no clock, thread, lock or file.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "sched/dirty_extents.h"
#include "sched/types.h"
#include "sched/write_rate.h"

namespace fairfs::sched {

/// Any keys of the caller's: a flow, a file.
enum class WriterId : std::uint64_t {};
enum class FileId : std::uint64_t {};

struct WriteBehindConfig {
  std::uint64_t bytes_per_s = 1;  ///< how fast the disk writes, to begin with; corrected by what is seen
  /// Dirty and not yet in the disk, all writers together: what the disk writes in this time. It bounds how long a
  /// writer's backlog can keep a flush waiting, and how long an end of all writers takes.
  Duration dirty_target = std::chrono::milliseconds{200};
  /// Started and unfinished: what a flush that comes now finds before it in the disk. Measured on a disk of 113 MB/s,
  /// fsync beside a stream of writes: 2 MiB 0.14 s, 8 MiB 0.30 s, 16 MiB 0.55 s.
  Duration in_flight_target = std::chrono::milliseconds{20};
  /// What is dirty for so long is written however little it is. The kernel's flusher wakes as often
  /// (dirty_writeback_centisecs); files that live shorter never reach the disk.
  Duration age_max = std::chrono::seconds{5};
};

/// Part of a file, to be written.
struct FileSpan {
  FileId file{};
  DirtyExtents::Span span;
};

/// What is written in one turn of its writer.
struct Piece {
  WriterId writer{};
  std::vector<FileSpan> spans;
  std::uint64_t bytes = 0;  ///< dirty ones
};

/// Not thread-safe. `now` never goes back. A writer is known while it has dirty bytes; everybody's allowance is its
/// part, by share, of one total, so that a thousand writers dirty no more than one does.
///
/// A writer's bytes are pushed while more than half its allowance is dirty, oldest file first and one file as long as
/// it lasts; its remaining ones when they are old. A writer over its allowance should wait, and only its own pieces
/// make room for it.
class WriteBehind {
 public:
  /// What one piece holds unless its caller wants more: a request of this size keeps a disk streaming (8.7 ms of a disk
  /// of 120 MB/s), and two fit in_flight_target there.
  static constexpr std::uint64_t kPieceBytes = std::uint64_t{1} << 20;
  /// Smallest total of dirty bytes, so that a slow disk's writers can still fill whole pieces.
  static constexpr std::uint64_t kDirtyMin = std::uint64_t{4} << 20;

  explicit WriteBehind(const WriteBehindConfig& config) : config_(config), rate_(config.bytes_per_s) {}

  /// `writer` has written `bytes` at `offset`.
  void wrote(WriterId writer, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now);
  /// The writer's next piece, if one is due and it has not enough on the way already. Call until there is none, after
  /// `wrote` and `finished`, and for all writers now and then (ages and others' shares change).
  /// At most `most` bytes, a power of two.
  [[nodiscard]] std::optional<Piece> next(WriterId writer, Time now, std::uint64_t most = kPieceBytes);
  /// The piece is in the disk from now on.
  void started(Time now) { rate_.started(now); }
  /// It has ended, with whatever result. `was_started`: false when it was given up before.
  void finished(const Piece& piece, bool was_started, Time now);

  /// If no more than `most` of the file is dirty and not on its way, whoever dirtied it, that is clean from now on:
  /// the caller flushes the file, which writes it. Else nothing changes.
  [[nodiscard]] bool leave_to_flush(FileId file, std::uint64_t most);
  /// What is dirty of the file and not on its way, whoever dirtied it, in spans of `most` bytes at most: the caller
  /// writes it itself.
  [[nodiscard]] std::vector<DirtyExtents::Span> take(FileId file, std::uint64_t most = kPieceBytes);
  /// The file ends at `size` now, or (0) is gone: what was dirty behind needs no writing.
  void truncate(FileId file, std::uint64_t size);
  /// Everything is due from now on.
  void push_all() { pushing_all_ = true; }

  /// Relative to the other writers' shares, > 0. A writer without one counts as an average one.
  void set_share(WriterId writer, double share);
  [[nodiscard]] std::uint64_t allowance(WriterId writer) const;
  [[nodiscard]] bool over_allowance(WriterId writer) const;

  [[nodiscard]] std::uint64_t dirty(WriterId writer) const;      ///< bytes, those on the way included
  [[nodiscard]] std::uint64_t submitted(WriterId writer) const;  ///< bytes on the way
  [[nodiscard]] std::uint64_t dirty() const { return dirty_ + (first_ ? first_->span.bytes : 0); }
  [[nodiscard]] bool is_dirty(FileId file) const { return (first_ && first_->file == file) || files_.contains(file); }
  [[nodiscard]] std::vector<WriterId> writers() const;
  /// Bytes that may be in the disk at once; two pieces at least, so that it need not pause between them.
  [[nodiscard]] std::uint64_t window() const;
  [[nodiscard]] std::uint64_t bytes_per_s() const { return rate_.bytes_per_s(); }

 private:
  /// One writer's dirty bytes of one file.
  struct Part {
    WriterId writer{};
    DirtyExtents extents;
    std::uint64_t serial = 0;    // of its entry in the writer's queue
    std::uint64_t position = 0;  // where the last piece ended
  };
  struct Waiting {
    FileId file{};
    std::uint64_t serial = 0;
    Time since{};
  };
  struct Writer {
    std::uint64_t dirty = 0, submitted = 0, pieces = 0;
    std::optional<double> share;
    std::deque<Waiting> files;  // oldest first; an entry whose part is gone or newer is stale
  };

  /// A write that came while nobody had anything dirty or on the way. Whoever flushes each write (a database its
  /// journal) makes it clean again at once: it is only noted, as long as nothing else happens.
  struct FirstWrite {
    WriterId writer{};
    FileId file{};
    DirtyExtents::Span span;
    Time since{};
  };

  /// The first write, which is noted where that will do, and the one after it.
  void enter_early(WriterId writer, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now);
  /// Enters the first write among the parts.
  void settle();
  void enter(WriterId writer, FileId file, std::uint64_t offset, std::uint64_t bytes, Time now);
  [[nodiscard]] std::uint64_t allowed_to_all() const {
    return std::max(kDirtyMin, rate_.bytes_in(config_.dirty_target));
  }
  [[nodiscard]] Part* part_of(const Waiting& waiting, WriterId writer);
  /// The oldest file that is still dirty; drops stale entries.
  [[nodiscard]] Part* oldest(WriterId id, Writer& writer);
  [[nodiscard]] bool due(const Writer& writer, std::uint64_t allowance, Time now) const;
  [[nodiscard]] std::uint64_t allowance(const Writer& writer) const;
  void clean(WriterId id, std::uint64_t bytes);
  void drop_clean_parts(FileId file);

  const WriteBehindConfig config_;
  WriteRate rate_;
  std::optional<FirstWrite> first_;  // the maps are empty then
  std::unordered_map<WriterId, Writer> writers_;
  std::unordered_map<FileId, std::vector<Part>> files_;
  std::uint64_t dirty_ = 0, serial_ = 0;
  double shares_ = 0;           // of those writers that have one
  std::size_t with_share_ = 0;  // how many these are
  bool pushing_all_ = false;
};

}  // namespace fairfs::sched
