// WRITE: buffered ones go to the backing page cache at once; those that go to the disk wait for the caller's turn.
#include <libaio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <memory>
#include <new>
#include <utility>

#include "fs/answer.h"
#include "fs/handle.h"
#include "fs/held_payloads.h"
#include "fs/mount.h"
#include "fs/operations.h"
#include "fs/set_id.h"
#include "fs/sys.h"
#include "fs/turn.h"

namespace fairfs::fs {

namespace {

// Smaller payloads are copied: the copy costs less than fresh memory for the next message.
constexpr std::size_t kTakeMessage = 64 * 1024;

/// What the kernel makes of an answer that is shorter than the write.
enum class Short : std::uint8_t {
  told,  ///< the caller is told
  lost,  ///< EIO for a direct write, nothing at all for pages of a mapping: so the error behind it must be the answer
};
Short short_of(int flags, bool from_page_cache) noexcept {
  return (flags & O_DIRECT) != 0 || from_page_cache ? Short::lost : Short::told;
}

/// In parts that write-behind can write one by one: a write makes pages as large as itself, and the kernel writes pages
/// as a whole. `write(from, bytes)` and this give bytes written or -errno.
template <class Write>
ssize_t in_parts(std::size_t size, std::size_t part, Short fate, Write write) {
  std::size_t done = 0;
  for (ssize_t count = 1; count > 0 && done < size; done += static_cast<std::size_t>(count)) {
    count = write(done, std::min(part, size - done));
    if (count < 0) return done != 0 && fate == Short::told ? static_cast<ssize_t>(done) : count;
  }
  return static_cast<ssize_t>(done);
}

/// An O_DIRECT or O_SYNC write.
class WriteJob final : public engine::Job {
 public:
  WriteJob(fuse_req_t request, FileHandle& handle, Short fate) : answer_(request), handle_(handle), fate_(fate) {}

  /// Keeps the payload until the write is done: in the message's own memory, where it is page-aligned, or as a copy.
  void keep(const char* data, std::size_t size) {
    if (size >= kTakeMessage) {
      memory_ = std::exchange(serving_thread().message, nullptr)->release_buffer();
      data_ = data;
    } else {
      memory_ = BufferPool::instance().take(size);
      std::memcpy(memory_.data(), data, size);
      data_ = memory_.data();
    }
    held_ = HeldPayloads::Part{memory_.capacity()};
  }

  ssize_t run() noexcept override {
    const ssize_t done = ::pwrite(handle_.fd.get(), data_, bytes, static_cast<off_t>(offset));
    return done < 0 ? -errno : done;
  }

  bool prepare(iocb& block) noexcept override {
    if (!handle_.direct() || handle_.synchronous()) return false;
    ::io_prep_pwrite(&block, handle_.fd.get(), const_cast<char*>(data_), bytes, static_cast<long long>(offset));
    return true;
  }

  void finish(ssize_t result) noexcept override {
    if (fate_ == Short::lost && result > 0) result = with_rest(static_cast<std::size_t>(result));
    if (handle_.synchronous())
      if (const int error = handle_.flushed(result < 0 ? static_cast<int>(result) : 0); error < 0) result = error;
    if (result < 0)
      answer_.error(static_cast<int>(-result));
    else
      answer_.written(static_cast<std::size_t>(result));
  }

 private:
  /// Where space or a quota ends within the write: it goes on until that is met. Rare, so it may hold this thread up.
  ssize_t with_rest(std::size_t done) noexcept {
    const ssize_t rest = in_parts(bytes - done, bytes, fate_, [&](std::size_t from, std::size_t length) {
      const std::size_t at = done + from;
      return sys::checked(::pwrite(handle_.fd.get(), data_ + at, length, static_cast<off_t>(offset + at)));
    });
    return rest < 0 ? rest : static_cast<ssize_t>(done) + rest;
  }

  Answer answer_;
  FileHandle& handle_;
  const Short fate_;
  Buffer memory_;
  HeldPayloads::Part held_;
  const char* data_ = nullptr;
};

void write_now(fuse_req_t request, FileHandle& handle, const char* data, size_t size, const fuse_file_info& info,
               off_t offset) {
  Mount& mount = mount_of(request);
  const bool from_page_cache = info.writepage != 0;
  const Short fate = short_of(info.flags, from_page_cache);
  if (!from_page_cache) mount.space_ahead.before_write(handle, static_cast<std::uint64_t>(offset), size);
  const ssize_t done = in_parts(size, mount.write_behind.part(), fate, [&](std::size_t from, std::size_t bytes) {
    const off_t where = offset + static_cast<off_t>(from);
    return from_page_cache ? handle.write_pages(mount.proc_fd.get(), data + from, bytes, where)
                           : sys::checked(::pwrite(handle.fd.get(), data + from, bytes, where));
  });
  if (done < 0) {
    fuse_reply_err(request, static_cast<int>(-done));
    return;
  }
  const auto bytes = static_cast<std::size_t>(done);
  const auto where = static_cast<std::uint64_t>(offset);
  if (!from_page_cache)
    return mount.write_behind.wrote(*handle.inode, caller_of(request), where, bytes, Answer{request});
  mount.write_behind.wrote_back(*handle.inode, where, bytes);
  fuse_reply_write(request, bytes);
}

}  // namespace

void op_write(fuse_req_t request, fuse_ino_t, const char* data, size_t size, off_t offset,
              fuse_file_info* info) noexcept {
  Mount& mount = mount_of(request);
  FileHandle& handle = file_of(*info);
  if (const int error = clear_set_id(request, *handle.inode); error < 0) {
    fuse_reply_err(request, -error);
    return;
  }
  try {
    if (info->writepage != 0 || !handle.schedules_writes())
      return write_now(request, handle, data, size, *info, offset);
    if (handle.synchronous()) mount.engine.count(caller_of(request), engine::Event::buffered_write, size);
    auto job = std::make_unique<WriteJob>(request, handle, short_of(info->flags, false));
    job->keep(data, size);
    job->caller = caller_of(request);
    // A synchronous one is a flush with a little to write: others' write-behind keeps out of its way.
    job->operation = handle.synchronous() ? sched::Operation::sync : sched::Operation::write;
    job->inode = handle.inode_key();
    job->number = handle.inode->key.number;
    job->offset = static_cast<std::uint64_t>(offset);
    job->bytes = size;
    job->bounded_wait = true;  // the inode's lock is held in the kernel meanwhile
    await_turn(mount, *handle.inode, std::move(job));
  } catch (const std::bad_alloc&) {
    fuse_reply_err(request, ENOMEM);
  }
}

}  // namespace fairfs::fs
