// FSYNC, FDATASYNC, FSYNCDIR: first the file's own dirty bytes, then the flush, in their caller's turns.
#include <memory>
#include <new>

#include "fs/operations.h"
#include "fs/sync_job.h"
#include "fs/turn.h"

namespace fairfs::fs {

void op_fsync(fuse_req_t request, fuse_ino_t, int data_only, fuse_file_info* info) noexcept {
  try {
    Mount& mount = mount_of(request);
    FileHandle& handle = file_of(*info);
    auto flush = std::make_unique<SyncJob>(request, handle, data_only != 0);
    auto rest = mount.write_behind.take(*handle.inode);
    // Up to one piece the flush itself writes: a turn of its own would only cost another round through the queue.
    if (rest.spans.empty()) return await_turn(mount, *handle.inode, std::move(flush));
    const auto sequence = std::make_shared<SyncSequence>(mount, std::move(flush), rest);
    for (auto& job : sequence->make_jobs(sequence)) await_turn(mount, *handle.inode, std::move(job));
  } catch (const std::bad_alloc&) {
    fuse_reply_err(request, ENOMEM);
  }
}

void op_fsyncdir(fuse_req_t request, fuse_ino_t, int data_only, fuse_file_info* info) noexcept {
  try {
    DirectoryHandle& handle = directory_of(*info);
    await_turn(mount_of(request), *handle.inode, std::make_unique<SyncJob>(request, handle, data_only != 0));
  } catch (const std::bad_alloc&) {
    fuse_reply_err(request, ENOMEM);
  }
}

}  // namespace fairfs::fs
