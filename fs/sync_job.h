// What an fsync does when it is its caller's turn.
#pragma once

#include <atomic>
#include <memory>
#include <span>
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
  SyncSequence(Mount& mount, std::unique_ptr<SyncJob> flush, const WriteBehind::Rest& rest);

  /// One for each piece. Throws std::bad_alloc.
  [[nodiscard]] std::vector<std::unique_ptr<engine::Job>> make_jobs(const std::shared_ptr<SyncSequence>& self);

 private:
  class PieceJob;
  [[nodiscard]] std::vector<std::span<const sched::FileSpan>> pieces() const;
  void ended();

  Mount& mount_;
  std::unique_ptr<SyncJob> flush_;
  const std::shared_ptr<DirtyFile> file_;
  std::vector<sched::FileSpan> spans_;
  std::atomic<std::size_t> left_{0};
};

}  // namespace fairfs::fs
