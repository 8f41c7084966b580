#include "fs/write_behind.h"

#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include "fs/piece_job.h"

namespace fairfs::fs {
namespace {

using sched::Time;
using sched::WriterId;
using namespace std::chrono_literals;

/// A write to a file that others have open for writing too holds a lock that they need: it waits no longer than this.
/// What it has dirtied beyond its allowance it still owes, so its next writes wait.
constexpr sched::Duration kSharedWait = 100ms;

/// Pages as large as this and not larger, so that a loop of flushes that begins finds little behind the first piece
/// that is written: 0.9 ms of a disk of 300 MB/s, and a quarter of a piece where pieces are larger.
constexpr std::size_t kPart = 256 * 1024;

Time now() { return Time{std::chrono::steady_clock::now().time_since_epoch()}; }

WriterId id_of(const engine::FlowRef& flow) { return WriterId{reinterpret_cast<std::uintptr_t>(flow.get())}; }
sched::FileId id_of(const Inode& inode) { return sched::FileId{reinterpret_cast<std::uintptr_t>(&inode)}; }

}  // namespace

WriteBehind::WriteBehind(engine::Engine& engine, InodeTable& inodes, const Place& place)
    : engine_(engine),
      inodes_(inodes),
      place_(place),
      off_(!place.wanted || engine.scheduler_config().policy == sched::Policy::off),
      policy_({.bytes_per_s = engine.scheduler_config().profile.write.bytes_per_s}) {
  if (off_) return;
  flushed_.reserve(kFlushedMost);
  window_ = policy_.window();
  engine_.set_write_window(window_);
  keeper_ = std::thread([this] { look_after(); });
}

WriteBehind::~WriteBehind() {
  if (off_) return;
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  wanted_.notify_all();
  keeper_.join();
}

std::size_t WriteBehind::part() const noexcept {
  if (off_) return std::numeric_limits<std::size_t>::max();
  const std::size_t piece = engine_.write_piece();
  return std::max(piece / 4, std::min(piece, kPart));
}

void WriteBehind::wrote(Inode& inode, const engine::Caller& caller, std::uint64_t offset, std::size_t bytes,
                        const Answer& answer) {
  engine::FlowRef flow = engine_.count_write(caller, bytes);
  if (off_ || inode.apart) return answer.written(bytes);
  inode.writer.store(caller.thread, std::memory_order_relaxed);
  Actions actions;
  bool wait;
  {
    const std::lock_guard lock{mutex_};
    const Time when = now();
    const WriterId id = id_of(flow);
    record(inode, flow, offset, bytes, when);
    push(id, when, actions);
    wait = !draining_ && policy_.over_allowance(id);
    if (wait)
      writers_[id].held.push_back({answer, bytes, when, inode.writers > 1 ? when + kSharedWait : sched::kNever});
  }
  if (!wait) answer.written(bytes);
  act(std::move(actions));
}

void WriteBehind::wrote_back(Inode& inode, std::uint64_t offset, std::size_t bytes) {
  pid_t thread = inode.writer.load(std::memory_order_relaxed);
  if (thread == 0) thread = inode.opener.load(std::memory_order_relaxed);
  const engine::FlowRef flow = engine_.count_write({.thread = thread}, bytes);
  if (off_) return;
  Actions actions;
  {
    const std::lock_guard lock{mutex_};
    const Time when = now();
    record(inode, flow, offset, bytes, when);
    push(id_of(flow), when, actions);
  }
  act(std::move(actions));
}

void WriteBehind::record(Inode& inode, const engine::FlowRef& flow, std::uint64_t offset, std::size_t bytes,
                         Time when) {
  const sched::FileId file = id_of(inode);
  const WriterId id = id_of(flow);
  if (writers_.empty()) wanted_.notify_one();
  if (!inode.dirty.load(std::memory_order_relaxed)) {
    files_[file] = std::make_shared<DirtyFile>(inodes_, inode, place_.proc_fd);
    inode.dirty.store(true, std::memory_order_relaxed);
  }
  if (const auto [writer, added] = writers_.try_emplace(id); added) writer->second.flow = flow;
  policy_.wrote(id, file, offset, bytes, when);
}

void WriteBehind::push(WriterId id, Time when, Actions& actions) {
  while (auto piece = policy_.next(id, when, engine_.write_piece())) {
    std::vector<std::shared_ptr<DirtyFile>> files;
    for (const sched::FileSpan& span : piece->spans) files.push_back(files_.at(span.file));
    // Only now: a piece may hold several spans of one file, which is clean once all are taken.
    for (const sched::FileSpan& span : piece->spans) forget_clean(span.file, actions);
    actions.jobs.push_back(make_piece_job(
        {.flow = writers_.at(id).flow, .piece = std::move(*piece), .files = std::move(files), .how = place_.how},
        [this] { started(); }, [this](const sched::Piece& ended_piece) { ended(ended_piece); }));
  }
}

void WriteBehind::release(WriterId id, Time when, Actions& actions) {
  const auto known = writers_.find(id);
  if (known == writers_.end()) return;
  Writer& writer = known->second;
  const bool room = draining_ || !policy_.over_allowance(id);
  while (!writer.held.empty() && (room || writer.held.front().until <= when)) {
    actions.answers.emplace_back(writer.held.front(), writer.flow);
    writer.held.pop_front();
  }
  engine::Engine::set_dirty(writer.flow, policy_.dirty(id), policy_.submitted(id));
  if (writer.held.empty() && policy_.dirty(id) == 0) writers_.erase(known);
  const std::uint64_t window = policy_.window();
  if (window != window_) actions.window = window_ = window;
}

void WriteBehind::forget_clean(sched::FileId file, Actions& actions) {
  if (policy_.is_dirty(file)) return;
  const auto known = files_.find(file);
  if (known == files_.end()) return;
  known->second->inode().dirty.store(false, std::memory_order_relaxed);
  actions.clean.push_back(std::move(known->second));
  files_.erase(known);
}

void WriteBehind::act(Actions&& actions) {
  if (actions.window != 0) engine_.set_write_window(actions.window);
  for (auto& [held, flow] : actions.answers) {
    engine::Engine::count_throttled(flow, now() - held.since);
    held.answer.written(held.bytes);
  }
  if (actions.jobs.empty()) return;
  for (auto& job : actions.jobs) engine_.submit(std::move(job));
  engine_.kick();
}

void WriteBehind::started() {
  const std::lock_guard lock{mutex_};
  policy_.started(now());
}

void WriteBehind::ended(const sched::Piece& piece) {
  Actions actions;
  {
    const std::lock_guard lock{mutex_};
    const Time when = now();
    policy_.finished(piece, true, when);
    push(piece.writer, when, actions);
    release(piece.writer, when, actions);
    if (draining_ && policy_.dirty() == 0) wanted_.notify_all();
  }
  act(std::move(actions));
}

}  // namespace fairfs::fs
