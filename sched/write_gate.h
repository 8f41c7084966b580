// What the disk may hold of buffered writes, so that a flush finds little before it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>

#include "sched/disk_profile.h"
#include "sched/types.h"
#include "sched/write_rate.h"

namespace fairfs::sched {

/// Two rules for buffered writes (Request::buffered). Not more of them are in the disk than the window says. And while
/// a flush is in the disk none is added: it would stand between the flush's own steps. The flush is charged what it
/// takes, so its flow pays for that time, and a loop of flushes gets its share and no more.
///
/// A buffered write that is next and may not start yet keeps its place: others wait with it, since passing it by would
/// cost its flow the share. The disk is busy meanwhile, with the window's worth of writes or with the flush.
class WriteGate {
 public:
  /// Longest that one flush keeps writes back, once those before it have ended: ten seeks of a slow disk. A flush that
  /// takes longer waits for something else than the disk's arm.
  static constexpr Duration kHoldMax = std::chrono::milliseconds{100};
  /// What one flush is charged at most: a disk that hangs isn't its caller's fault.
  static constexpr Duration kSyncCostMax = std::chrono::milliseconds{100};

  /// Flushes come one after another while the last one ended less than this ago: a program that syncs each of its
  /// transactions thinks less between two. The same for others' requests.
  static constexpr Duration kPast = std::chrono::milliseconds{200};
  /// Enough for a disk to go on with while the next piece is on its way, and not more than a few small requests take.
  static constexpr Duration kBesideOthers = std::chrono::milliseconds{1};
  /// If nobody has measured it, it may be a hard disk, which would do nothing but turn.
  static constexpr Duration kBesideOthersUnmeasured = std::chrono::milliseconds{6};
  /// A request of kPieceFull keeps a hard disk streaming, one of kPieceMin a solid-state one. A disk of gigabytes a
  /// second has done the one before a thread has brought it the next: there pieces take kPieceTime, which is what a
  /// full one takes a disk of 300 MB/s. More than kPieceMost saves nothing that could be measured.
  static constexpr std::uint64_t kPieceMin = 64 * 1024, kPieceFull = 1024 * 1024, kPieceMost = 8 * kPieceFull;
  static constexpr Duration kPieceTime = std::chrono::milliseconds{3};

  explicit WriteGate(const DiskProfile& profile)
      : measured_(profile.measured.reads),
        beside_others_(profile.idle             ? Duration::max()
                       : profile.measured.reads ? kBesideOthers
                                                : kBesideOthersUnmeasured),
        profile_rate_(profile.write.bytes_per_s),
        rate_(profile.write.bytes_per_s),
        sync_cost_(profile.sync) {}

  void set_window(std::uint64_t bytes) { window_ = bytes; }
  /// What the disk writes by itself, as seen lately.
  [[nodiscard]] std::uint64_t bytes_per_s() const { return rate_.bytes_per_s(); }

  /// Bytes of buffered writes that may be in the disk. While flushes come one after another, what the disk writes in
  /// the time of one, so that each finds no more before it than it takes itself; while others use a disk without turns,
  /// what it writes in kBesideOthers, because their requests wait in it behind these.
  [[nodiscard]] std::uint64_t window(Time now) const {
    Duration most = Duration::max();
    if (now < last_sync_ + kPast) most = sync_cost_;
    if (now < last_other_ + kPast) most = std::min(most, beside_others_);
    if (most == Duration::max()) return window_;
    // By the best rate: what is seen beside other writers would make pieces smaller, and these the rate lower still.
    const std::uint64_t best = std::max(profile_rate_, rate_.bytes_per_s());
    return std::min(window_, WriteRate{best}.bytes_in(most));
  }
  /// A size for pieces of write-behind, a power of two, kPieceMin..kPieceMost; where the window is small two fit it.
  [[nodiscard]] std::uint64_t piece(Time now) const {
    const std::uint64_t bytes = window(now);
    return bytes == window_ ? std::bit_floor(std::clamp(rate_.bytes_in(kPieceTime), kPieceFull, kPieceMost))
                            : std::bit_floor(std::clamp(bytes / 2, kPieceMin, kPieceFull));
  }

  [[nodiscard]] bool blocks(std::uint64_t bytes, Time now) const {
    return (writing_ != 0 && writing_ + bytes > window(now)) || holds(now);
  }
  /// When time alone may change `blocks`.
  [[nodiscard]] Time blocked_until(Time now) const { return holds(now) ? sync_since_ + kHoldMax : kNever; }

  /// A flush that has just come may go down with those in the disk: one journal commit for all.
  [[nodiscard]] bool joinable(Time now) const { return holds(now); }

  /// Something that is neither a buffered write nor a flush goes to the disk.
  void other_started(Time now) {
    last_other_ = now;
    if (measured_) ++others_, rate_.interrupted();
  }
  void other_ended() {
    if (measured_) --others_, rate_.interrupted();
  }
  void write_started(std::uint64_t bytes, Time now) {
    writing_ += bytes;
    rate_.started(now);
  }
  void write_ended(std::uint64_t bytes, Time now) {
    writing_ -= bytes;
    rate_.finished(bytes, now);
    if (syncs_ + others_ != 0) rate_.interrupted();
    // What a flush found in the disk is its writer's cost, not the flush's, and its time begins now.
    if (writing_ != 0 || !holds(now)) return;
    sync_since_ = now;
    if (ended_ == 0) counted_from_ = now;
  }

  void sync_started(Time now) {
    rate_.interrupted();
    if (syncs_++ == 0) sync_since_ = counted_from_ = now;
  }
  void sync_ended(Time now) {
    last_sync_ = now;
    rate_.interrupted();
    ++ended_;
    // Flushes that go down together share one journal commit: the time divided by how many there were is the cost.
    if (--syncs_ != 0 && ended_ < kGroup) return;
    const Duration each = (now - counted_from_) / ended_;
    sync_cost_ = std::min(sync_cost_ + (each - sync_cost_) / 4, kSyncCostMax);  // a moving mean over about four
    counted_from_ = now;
    ended_ = 0;
  }
  /// Device time of one flush, as seen lately.
  [[nodiscard]] Duration sync_cost() const { return sync_cost_; }

 private:
  /// A flush keeps writes back.
  [[nodiscard]] bool holds(Time now) const { return syncs_ != 0 && now < sync_since_ + kHoldMax; }

  static constexpr std::uint32_t kGroup = 16;  // flushes without a pause after which the mean is taken

  std::uint64_t window_ = ~std::uint64_t{0}, writing_ = 0;
  std::uint32_t syncs_ = 0, ended_ = 0, others_ = 0;
  const bool measured_;  // else what turning to others costs counts as the writes': the profile knows nothing of it
  const Duration beside_others_;
  const std::uint64_t profile_rate_;
  WriteRate rate_;
  Time sync_since_{}, counted_from_{}, last_sync_ = Time{} - kPast, last_other_ = Time{} - kPast;
  Duration sync_cost_;
};

}  // namespace fairfs::sched
