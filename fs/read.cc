// READ: from the page cache at once, from the disk when it is the caller's turn.
#include <libaio.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <memory>
#include <new>

#include "fs/answer.h"
#include "fs/handle.h"
#include "fs/mount.h"
#include "fs/operations.h"
#include "fs/page_cache.h"
#include "fs/turn.h"

namespace fairfs::fs {

namespace {

/// A read that needs the disk. Takes its memory only when its turn has come: a backlog costs none.
class ReadJob final : public engine::Job {
 public:
  ReadJob(fuse_req_t request, FileHandle& handle) : answer_(request), handle_(handle) {}

  ssize_t run() noexcept override {
    try {
      if (!buffer_) buffer_ = BufferPool::instance().take(bytes);
    } catch (const std::bad_alloc&) {
      return -ENOMEM;
    }
    const ssize_t done = ::pread(handle_.fd.get(), buffer_.data(), bytes, static_cast<off_t>(offset));
    return done < 0 ? -errno : done;
  }

  bool prepare(iocb& block) noexcept override {
    if (!handle_.direct()) return false;  // libaio is only asynchronous past the page cache
    try {
      buffer_ = BufferPool::instance().take(bytes);
    } catch (const std::bad_alloc&) {
      return false;
    }
    ::io_prep_pread(&block, handle_.fd.get(), buffer_.data(), bytes, static_cast<long long>(offset));
    return true;
  }

  void finish(ssize_t result) noexcept override {
    if (result < 0)
      answer_.error(static_cast<int>(-result));
    else
      answer_.bytes(buffer_.data(), static_cast<std::size_t>(result));
  }

 private:
  Answer answer_;
  FileHandle& handle_;  // the kernel sends RELEASE only after the answer
  Buffer buffer_;
};

/// Bytes read without touching the disk; -EAGAIN when that can't be done for the whole range.
ssize_t read_cached(int fd, Buffer& buffer, std::size_t size, off_t offset) {
  if (!page_cache_holds(fd, offset, size)) return -EAGAIN;
  // A thread that waits keeps what small reads need: of the largest, others may have filled any part.
  const std::size_t wanted = size > kSmallPayload ? kPayloadMax : kSmallPayload;
  if (buffer.capacity() < size) buffer = BufferPool::instance().take(wanted);
  const iovec part{buffer.data(), size};
  const ssize_t done = ::preadv2(fd, &part, 1, offset, RWF_NOWAIT);
  if (done < 0) return -EAGAIN;
  if (static_cast<std::size_t>(done) == size) return done;
  struct stat status;  // short: the end of the file, or pages that went meanwhile
  if (::fstat(fd, &status) != 0 || offset + done < status.st_size) return -EAGAIN;
  return done;
}

}  // namespace

void op_read(fuse_req_t request, fuse_ino_t, size_t size, off_t offset, fuse_file_info* info) noexcept {
  Mount& mount = mount_of(request);
  FileHandle& handle = file_of(*info);
  try {
    handle.follow(info->flags);
    if (!handle.direct()) {
      Buffer own;
      Buffer& scratch = serving_thread().scratch != nullptr ? *serving_thread().scratch : own;
      const ssize_t done = read_cached(handle.fd.get(), scratch, size, offset);
      if (done >= 0) {
        if (size > kSmallPayload) serving_thread().answered_much = true;
        mount.engine.count(caller_of(request), engine::Event::cached_read, static_cast<std::uint64_t>(done));
        fuse_reply_buf(request, scratch.data(), static_cast<std::size_t>(done));
        return;
      }
      if (!handle.inode->apart) handle.disable_backing_readahead();
    }
    auto job = std::make_unique<ReadJob>(request, handle);
    job->caller = caller_of(request);
    job->operation = sched::Operation::read;
    job->inode = handle.inode_key();
    job->number = handle.inode->key.number;
    job->offset = static_cast<std::uint64_t>(offset);
    job->bytes = size;
    job->bounded_wait = !handle.direct();  // its pages are locked in the kernel meanwhile
    await_turn(mount, *handle.inode, std::move(job));
  } catch (const std::bad_alloc&) {
    fuse_reply_err(request, ENOMEM);
  }
}

}  // namespace fairfs::fs
