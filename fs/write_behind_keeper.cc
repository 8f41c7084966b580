// Write-behind's slower side: ages and shares, files that shrink or go, the end.
#include <spdlog/spdlog.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>

#include "fs/sys.h"
#include "fs/write_behind.h"

namespace fairfs::fs {
namespace {

using namespace std::chrono_literals;

/// How often ages and shares are looked at: a fiftieth of the age that matters, and soon enough for a newcomer's share.
constexpr auto kRound = 100ms;

sched::Time now() { return sched::Time{std::chrono::steady_clock::now().time_since_epoch()}; }
sched::FileId id_of(const Inode& inode) { return sched::FileId{reinterpret_cast<std::uintptr_t>(&inode)}; }

}  // namespace

void WriteBehind::look_after() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    if (writers_.empty() && flushed_.empty())
      wanted_.wait(lock, [this] { return stopping_ || !writers_.empty() || !flushed_.empty(); });
    else
      wanted_.wait_for(lock, kRound, [this] { return stopping_; });
    if (stopping_) return;
    lock.unlock();
    share_out();
    visit_all();
    lock.lock();
  }
}

void WriteBehind::visit_all() {
  Actions actions;
  {
    const std::lock_guard lock{mutex_};
    const sched::Time when = now();
    std::vector<sched::WriterId> ids;
    for (const auto& [id, writer] : writers_) ids.push_back(id);
    for (const sched::WriterId id : ids) {
      push(id, when, actions);
      release(id, when, actions);
    }
    forget_flushed(actions);
  }
  act(std::move(actions));
}

void WriteBehind::share_out() {
  std::vector<sched::WriterId> ids;
  std::vector<engine::FlowRef> flows;
  {
    const std::lock_guard lock{mutex_};
    if (writers_.size() < 2) return;
    for (const auto& [id, writer] : writers_) {
      ids.push_back(id);
      flows.push_back(writer.flow);
    }
  }
  const std::vector<double> shares = engine_.shares_among(flows);
  const std::lock_guard lock{mutex_};
  for (std::size_t i = 0; i < ids.size(); ++i) policy_.set_share(ids[i], shares[i]);
}

std::uint64_t WriteBehind::rest_piece() const noexcept {
  return std::max(engine_.write_piece(), sched::WriteBehind::kPieceBytes);
}

// Who flushes once flushes again: such a file is dirty again at once, and to let go of it each time would cost more
// than the write.
WriteBehind::Rest WriteBehind::take(Inode& inode) {
  Rest rest;
  if (!inode.dirty.load(std::memory_order_relaxed)) return rest;
  Actions actions;
  {
    const std::lock_guard lock{mutex_};
    const sched::FileId file = id_of(inode);
    const std::uint64_t piece = rest_piece();
    if (!policy_.leave_to_flush(file, piece)) {
      rest.file = files_.at(file);
      rest.spans = policy_.take(file, piece);
    }
    if (std::find(flushed_.begin(), flushed_.end(), file) != flushed_.end()) return rest;
    if (flushed_.size() == kFlushedMost) forget_flushed(actions);
    flushed_.push_back(file);
  }
  return rest;
}

void WriteBehind::forget_flushed(Actions& actions) {
  for (const sched::FileId file : flushed_) forget_clean(file, actions);
  flushed_.clear();
}

void WriteBehind::truncated(Inode& inode, std::uint64_t size) {
  if (!inode.dirty.load(std::memory_order_relaxed)) return;
  Actions actions;
  const std::lock_guard lock{mutex_};
  policy_.truncate(id_of(inode), size);
  forget_clean(id_of(inode), actions);
}

void WriteBehind::forgotten(Inode& inode) noexcept {
  if (!inode.dirty.load(std::memory_order_relaxed)) return;
  const BorrowedFd file = inodes_.borrow(inode);
  struct stat attributes;
  if (file && sys::stat(file.get(), attributes) == 0 && attributes.st_nlink == 0) truncated(inode, 0);
}

void WriteBehind::drain() {
  if (off_) return;
  {
    const std::lock_guard lock{mutex_};
    draining_ = true;
    policy_.push_all();
  }
  visit_all();
  std::unique_lock lock{mutex_};
  while (!wanted_.wait_for(lock, 1s, [this] { return policy_.dirty() == 0; }))
    spdlog::info("writing what is still in memory: {} KiB left", policy_.dirty() / 1024);
}

}  // namespace fairfs::fs
