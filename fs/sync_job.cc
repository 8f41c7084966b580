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

class SyncSequence::SpanJob final : public engine::Job {
 public:
  SpanJob(std::shared_ptr<SyncSequence> sequence, const sched::DirtyExtents::Span& span, const engine::FlowRef& whose)
      : sequence_(std::move(sequence)), span_{.file = {}, .span = span} {
    flow = whose;
    operation = sched::Operation::write;
    inode = sequence_->flush_->inode;
    number = sequence_->flush_->number;
    offset = span.offset;
    bytes = span.bytes;
    bounded_wait = true;
    buffered = true;
  }
  ssize_t run() noexcept override {
    sequence_->rest_.file->finish(sequence_->mount_.write_behind.how(), {&span_, 1});
    return static_cast<ssize_t>(span_.span.bytes);
  }
  void finish(ssize_t) noexcept override { sequence_->ended(); }

 private:
  const std::shared_ptr<SyncSequence> sequence_;
  const sched::FileSpan span_;
};

std::vector<std::unique_ptr<engine::Job>> SyncSequence::make_jobs(const std::shared_ptr<SyncSequence>& self) {
  const engine::FlowRef flow = mount_.engine.flow_of(flush_->caller);
  std::vector<std::unique_ptr<engine::Job>> jobs;
  jobs.reserve(rest_.spans.size());
  for (const auto& span : rest_.spans) jobs.push_back(std::make_unique<SpanJob>(self, span, flow));
  return jobs;
}

void SyncSequence::ended() {
  if (left_.fetch_sub(1) != 1) return;
  mount_.engine.submit(std::move(flush_));
  mount_.engine.kick();
}

}  // namespace fairfs::fs
