#include "fs/sync_job.h"

#include <unistd.h>

#include <cerrno>
#include <chrono>

namespace fairfs::fs {

SyncJob::SyncJob(fuse_req_t request, FileHandle& handle, bool data_only)
    : answer_(request), file_(&handle), fd_(handle.fd.get()), data_only_(data_only) {
  number = handle.inode->key.number;
  prepare_for(request, handle.inode_key());
}

SyncJob::SyncJob(fuse_req_t request, DirectoryHandle& handle, bool data_only)
    : answer_(request), file_(nullptr), fd_(handle.fd.get()), data_only_(data_only) {
  number = handle.inode->key.number;
  prepare_for(request, handle.inode_key());
}

void SyncJob::prepare_for(fuse_req_t request, std::uint64_t inode_key) {
  caller = caller_of(request);
  operation = sched::Operation::sync;
  inode = inode_key;
  bounded_wait = true;  // the inode's lock is held in the kernel meanwhile
  since = sched::Time{std::chrono::steady_clock::now().time_since_epoch()};
}

ssize_t SyncJob::run() noexcept { return (data_only_ ? ::fdatasync(fd_) : ::fsync(fd_)) != 0 ? -errno : 0; }

void SyncJob::finish(ssize_t result) noexcept {
  const int status = static_cast<int>(result);
  answer_.error(-(file_ != nullptr ? file_->flushed(status) : status));
}

class SyncSequence::PieceJob final : public engine::Job {
 public:
  PieceJob(std::shared_ptr<SyncSequence> sequence, std::span<const sched::FileSpan> spans, const engine::FlowRef& whose)
      : sequence_(std::move(sequence)), spans_(spans) {
    flow = whose;
    operation = sched::Operation::write;
    inode = sequence_->flush_->inode;
    number = sequence_->flush_->number;
    offset = spans.front().span.offset;
    for (const sched::FileSpan& each : spans) bytes += each.span.bytes;
    bounded_wait = true;
    buffered = true;
  }
  ssize_t run() noexcept override {
    const WriteOut how = sequence_->mount_.write_behind.how();
    if (spans_.size() > 1) sequence_->file_->start(how, spans_);  // all at once, so that the disk has a choice
    sequence_->file_->finish(how, spans_);
    return static_cast<ssize_t>(bytes);
  }
  void finish(ssize_t) noexcept override { sequence_->ended(); }

 private:
  const std::shared_ptr<SyncSequence> sequence_;
  const std::span<const sched::FileSpan> spans_;  // of the sequence
};

SyncSequence::SyncSequence(Mount& mount, std::unique_ptr<SyncJob> flush, const WriteBehind::Rest& rest)
    : mount_(mount), flush_(std::move(flush)), file_(rest.file) {
  spans_.reserve(rest.spans.size());
  for (const auto& span : rest.spans) spans_.push_back({.file = {}, .span = span});
}

// As many spans as make a piece, each of which is no more than one: scattered pages would else be a turn for each
// stretch of the file that has some.
std::vector<std::span<const sched::FileSpan>> SyncSequence::pieces() const {
  const std::uint64_t most = mount_.write_behind.rest_piece();
  std::vector<std::span<const sched::FileSpan>> pieces;
  std::uint64_t bytes = 0;
  std::size_t first = 0;
  for (std::size_t i = 0; i < spans_.size(); ++i) {
    if (i > first && bytes + spans_[i].span.bytes > most) {
      pieces.push_back(std::span{spans_}.subspan(first, i - first));
      first = i;
      bytes = 0;
    }
    bytes += spans_[i].span.bytes;
  }
  if (first < spans_.size()) pieces.push_back(std::span{spans_}.subspan(first));
  return pieces;
}

std::vector<std::unique_ptr<engine::Job>> SyncSequence::make_jobs(const std::shared_ptr<SyncSequence>& self) {
  const engine::FlowRef flow = mount_.engine.flow_of(flush_->caller);
  std::vector<std::unique_ptr<engine::Job>> jobs;
  for (const auto& spans : pieces()) jobs.push_back(std::make_unique<PieceJob>(self, spans, flow));
  left_ = jobs.size();
  return jobs;
}

void SyncSequence::ended() {
  if (left_.fetch_sub(1) != 1) return;
  mount_.engine.submit(std::move(flush_));
  mount_.engine.kick();
}

}  // namespace fairfs::fs
