#include "tests/sim/write_world.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace fairfs::test {
namespace {

using sched::FileId;
using sched::Operation;
using sched::WriterId;

constexpr std::uint64_t kRequest = std::uint64_t{1} << 20;  // of a dd, as the kernel passes it on
constexpr std::uint64_t kBlock = 4096;
constexpr sched::Duration kCopy = std::chrono::microseconds{300};   // memory takes a request: 3.5 GB/s
constexpr sched::Duration kRound = std::chrono::milliseconds{100};  // as fs/write_behind_keeper.cc
// Files: writers' from 1 on, readers', flushers', the journal.
constexpr std::uint64_t kReaders = 8, kFlushers = 14, kJournal = 15;
constexpr sched::Duration kTurnaround = std::chrono::microseconds{100};  // from an answer to the next question

WriterId id_of(std::size_t writer) { return WriterId{writer + 1}; }

}  // namespace

WriteWorld::WriteWorld(const sched::SchedulerConfig& config, std::unique_ptr<DiskModel> disk)
    : disk_(std::move(disk)), scheduler_(config), policy_({.bytes_per_s = config.profile.write.bytes_per_s}) {
  look_after();
}

std::size_t WriteWorld::add_writer(sched::Weight weight) {
  const std::size_t writer = writers_.size();
  writers_.push_back({.node = scheduler_.add_flow(sched::kRoot, weight), .weight = weight});
  at(now_, [this, writer] { write(writer); });
  return writer;
}

std::size_t WriteWorld::add_flusher(sched::Duration think, sched::Weight weight) {
  const std::size_t flusher = flushers_.size();
  flushers_.push_back({.node = scheduler_.add_flow(sched::kRoot, weight), .think = think, .since = {}, .took = {}});
  at(now_ + think, [this, flusher] { flush(flusher); });
  return flusher;
}

void WriteWorld::run_for(sched::Duration time) {
  const sched::Time end = now_ + time;
  std::vector<std::uint64_t> ended;
  for (;;) {
    const sched::Time next = events_.empty() ? sched::kNever : events_.begin()->first;
    const sched::Time at = std::min(next, disk_->next_event());
    if (at > end) break;
    now_ = at;
    ended.clear();
    disk_->advance(now_, ended);
    for (const std::uint64_t id : ended) std::exchange(accesses_[id], {})();
    if (next == now_) {
      const Action action = std::move(events_.begin()->second);
      events_.erase(events_.begin());
      action();
    }
    pump();
  }
  now_ = end;
}

void WriteWorld::pump() {
  for (;;) {
    const sched::Decision decision = scheduler_.next(now_);
    if (const auto* sleep = std::get_if<sched::Sleep>(&decision)) {
      if (sleep->until != sched::kNever && (wake_ <= now_ || sleep->until < wake_)) {
        wake_ = sleep->until;
        at(wake_, [] {});
      }
      return;
    }
    const auto& dispatch = std::get<sched::Dispatch>(decision);
    starts_[dispatch.cookie](dispatch.id);
  }
}

void WriteWorld::access(Operation operation, std::uint64_t file, std::uint64_t offset, std::uint64_t bytes,
                        Action done) {
  accesses_.push_back(std::move(done));
  disk_->start(accesses_.size() - 1,
               {.operation = operation, .inode = file, .offset = offset, .bytes = bytes, .cost = {}}, now_);
}

void WriteWorld::submit(sched::Request request, Start start) {
  request.cookie = starts_.size();
  starts_.push_back(std::move(start));
  scheduler_.submit(request, now_);
}

void WriteWorld::write(std::size_t index) {
  Writer& writer = writers_[index];
  policy_.wrote(id_of(index), FileId{index + 1}, writer.offset, kRequest, now_);
  writer.offset += kRequest;
  writer.held = true;
  push(index);
  release(index);
}

void WriteWorld::release(std::size_t index) {
  Writer& writer = writers_[index];
  if (!writer.held || policy_.over_allowance(id_of(index))) return;
  writer.held = false;
  at(now_ + kCopy, [this, index] { write(index); });
}

void WriteWorld::push(std::size_t index) {
  while (const auto piece = policy_.next(id_of(index), now_, scheduler_.write_piece(now_))) {
    const sched::FileSpan span = piece->spans.front();
    const auto end = [this, index, piece = *piece](sched::RequestId id) {
      scheduler_.complete(id, now_);
      writers_[index].bytes += piece.bytes;
      policy_.finished(piece, true, now_);
      push(index);
      release(index);
    };
    submit({.flow = writers_[index].node,
            .operation = Operation::write,
            .inode = static_cast<std::uint64_t>(span.file),
            .offset = span.span.offset,
            .bytes = piece->bytes,
            .bounded_wait = true,
            .buffered = true},
           [this, span, bytes = piece->bytes, end](sched::RequestId id) {
             policy_.started(now_);
             access(Operation::write, static_cast<std::uint64_t>(span.file), span.span.offset, bytes,
                    [end, id] { end(id); });
           });
  }
}

// The file's own block, then a commit.
void WriteWorld::flush(std::size_t index) {
  Flusher& flusher = flushers_[index];
  flusher.since = now_;
  const auto end = [this, index](sched::RequestId id) {
    Flusher& ended = flushers_[index];
    scheduler_.complete(id, now_);
    ended.took.push_back(std::chrono::duration<double, std::milli>(now_ - ended.since).count());
    at(now_ + ended.think, [this, index] { flush(index); });
  };
  submit({.flow = flusher.node, .operation = Operation::sync, .inode = kFlushers + index, .bounded_wait = true},
         [this, index, end](sched::RequestId id) {
           access(Operation::write, kFlushers, index * kBlock, kBlock, [this, end, id] {
             waiting_.push_back([end, id] { end(id); });
             if (committing_.empty()) commit();
           });
         });
}

void WriteWorld::commit() {
  committing_.swap(waiting_);
  access(Operation::write, kJournal, 0, kBlock, [this] {
    for (const Action& answer : std::exchange(committing_, {})) answer();
    if (!waiting_.empty()) commit();
  });
}

std::size_t WriteWorld::add_reader(std::uint32_t outstanding, std::uint64_t bytes, sched::Weight weight) {
  const std::size_t reader = readers_.size();
  readers_.push_back({.node = scheduler_.add_flow(sched::kRoot, weight), .request = bytes});
  for (std::uint32_t i = 0; i < outstanding; ++i) at(now_, [this, reader] { read(reader); });
  return reader;
}

void WriteWorld::read(std::size_t index) {
  Reader& reader = readers_[index];
  const std::uint64_t offset = std::exchange(reader.offset, reader.offset + reader.request), bytes = reader.request;
  submit({.flow = reader.node,
          .operation = Operation::read,
          .inode = kReaders + index,
          .offset = offset,
          .bytes = bytes,
          .bounded_wait = true},
         [this, index, offset, bytes](sched::RequestId id) {
           access(Operation::read, kReaders + index, offset, bytes, [this, index, bytes, id] {
             scheduler_.complete(id, now_);
             readers_[index].bytes += bytes;
             at(now_ + kTurnaround, [this, index] { read(index); });
           });
         });
}

sched::Duration WriteWorld::worked_for_writer(std::size_t writer) const { return disk_->worked(writer + 1); }
sched::Duration WriteWorld::worked_for_reader(std::size_t reader) const { return disk_->worked(kReaders + reader); }

void WriteWorld::look_after() {
  double sum = 0;
  for (const Writer& writer : writers_) sum += writer.weight;
  for (std::size_t i = 0; i < writers_.size(); ++i) policy_.set_share(id_of(i), writers_[i].weight / sum);
  for (std::size_t i = 0; i < writers_.size(); ++i) {
    push(i);
    release(i);
  }
  scheduler_.set_write_window(policy_.window());
  at(now_ + kRound, [this] { look_after(); });
}

void WriteWorld::reset() {
  for (Writer& writer : writers_) writer.bytes = 0;
  for (Reader& reader : readers_) reader.bytes = 0;
  for (Flusher& flusher : flushers_) flusher.took.clear();
}

std::vector<double> WriteWorld::flushes(std::size_t flusher) const {
  std::vector<double> took = flushers_[flusher].took;
  std::sort(took.begin(), took.end());
  return took;
}

}  // namespace fairfs::test
