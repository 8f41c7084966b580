// FSYNC, FDATASYNC, FSYNCDIR: flushes in their caller's turn.
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>

#include "fs/answer.h"
#include "fs/handle.h"
#include "fs/mount.h"
#include "fs/operations.h"

namespace fairfs::fs {

namespace {

class SyncJob final : public engine::Job {
 public:
  SyncJob(fuse_req_t request, int fd, bool data_only) : answer_(request), fd_(fd), data_only_(data_only) {}

  ssize_t run() noexcept override { return (data_only_ ? ::fdatasync(fd_) : ::fsync(fd_)) != 0 ? -errno : 0; }
  void finish(ssize_t result) noexcept override { answer_.error(static_cast<int>(-result)); }

 private:
  Answer answer_;
  const int fd_;
  const bool data_only_;
};

void submit_sync(fuse_req_t request, int fd, std::uint64_t inode, bool data_only) {
  try {
    auto job = std::make_unique<SyncJob>(request, fd, data_only);
    job->caller = caller_of(request);
    job->operation = sched::Operation::sync;
    job->inode = inode;
    job->bounded_wait = true;  // the inode's lock is held in the kernel meanwhile
    serving_thread().submitted = true;
    mount_of(request).engine.submit(std::move(job));
  } catch (const std::bad_alloc&) {
    fuse_reply_err(request, ENOMEM);
  }
}

}  // namespace

void op_fsync(fuse_req_t request, fuse_ino_t, int data_only, fuse_file_info* info) noexcept {
  const FileHandle& handle = file_of(*info);
  submit_sync(request, handle.fd.get(), handle.inode_key(), data_only != 0);
}

void op_fsyncdir(fuse_req_t request, fuse_ino_t, int data_only, fuse_file_info* info) noexcept {
  const DirectoryHandle& handle = directory_of(*info);
  submit_sync(request, handle.fd.get(), handle.inode_key(), data_only != 0);
}

}  // namespace fairfs::fs
