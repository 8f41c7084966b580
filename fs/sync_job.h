// What an fsync does when it is its caller's turn.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "fs/answer.h"
#include "fs/handle.h"
#include "fs/mount.h"

namespace fairfs::fs {

/// The flush itself, and the answer.
class SyncJob final : public engine::Job {
 public:
  SyncJob(fuse_req_t request, FileHandle& handle, bool data_only);
  SyncJob(fuse_req_t request, DirectoryHandle& handle, bool data_only);

  ssize_t run() noexcept override;
  void finish(ssize_t result) noexcept override;

 private:
  void prepare_for(fuse_req_t request, std::uint64_t inode_key);

  const Answer answer_;
  FileHandle* const file_;  // null for a directory; the kernel keeps it open until the answer
  const int fd_;
  const bool data_only_;
};

/// More dirty bytes than a flush should find: they are written as the caller's own, piece by piece, then the flush is
/// submitted. Kept by its jobs.
class SyncSequence {
 public:
  SyncSequence(Mount& mount, std::unique_ptr<SyncJob> flush, WriteBehind::Rest rest)
      : mount_(mount), flush_(std::move(flush)), rest_(std::move(rest)), left_(rest_.spans.size()) {}

  /// One for each span. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::unique_ptr<engine::Job>> make_jobs(const std::shared_ptr<SyncSequence>& self);

 private:
  class SpanJob;
  void ended();

  Mount& mount_;
  std::unique_ptr<SyncJob> flush_;
  const WriteBehind::Rest rest_;
  std::atomic<std::size_t> left_;
};

}  // namespace fairfs::fs
