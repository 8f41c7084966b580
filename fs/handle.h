// What the kernel's file handles (fuse_file_info::fh) stand for.
#pragma once

#include <fcntl.h>
#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fs/fuse.h"
#include "fs/handle_budget.h"
#include "fs/inode_table.h"
#include "fs/open_handles.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

/// From OPEN or CREATE until RELEASE; requests use it from many threads at once. Its own backing descriptor, not one
/// shared per inode: errors of earlier writes are told once to each open description, and modes differ.
struct FileHandle final : OpenHandle {
  FileHandle(OpenHandles& all, HandleSeat allowed, UniqueFd descriptor, InodePin pinned, int open_flags);
  ~FileHandle() override;
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  const HandleSeat seat;  // given back last, after the descriptors
  const UniqueFd fd;
  const InodePin inode;

  /// As the backing file is open: O_ACCMODE, O_APPEND, O_DIRECT, O_SYNC ...
  [[nodiscard]] int flags() const noexcept { return flags_.load(std::memory_order_relaxed); }
  /// The backing file is open with O_DIRECT: offset, length and memory must be aligned.
  [[nodiscard]] bool direct() const noexcept { return (flags() & O_DIRECT) != 0; }
  /// A write is on the disk before it is answered (O_SYNC includes O_DSYNC).
  [[nodiscard]] bool synchronous() const noexcept { return (flags() & O_DSYNC) != 0; }
  /// Writes need the disk, so they wait for their caller's turn.
  [[nodiscard]] bool schedules_writes() const noexcept { return direct() || synchronous(); }
  /// The caller may have changed O_APPEND and O_DIRECT since (fcntl's F_SETFL), which only reads and writes tell. Call
  /// with a request's flags before anything that depends on them. Thread-safe.
  void follow(int wanted) noexcept {
    if (((wanted ^ asked_.load(std::memory_order_relaxed)) & kChangeable) != 0) change(wanted & kChangeable);
  }
  /// Writes where and what it is told: the kernel's write-back of mapped pages may come through a handle that appends
  /// or wants alignment, and has a descriptor opened for it alone then. What was written, or -errno. Thread-safe.
  [[nodiscard]] ssize_t write_pages(int proc_fd, const char* data, std::size_t size, off_t offset) const noexcept;
  /// The backing kernel's readahead would fetch what the scheduler has not granted. Thread-safe, once per handle.
  void disable_backing_readahead() noexcept;
  /// A flush through this handle ended with `result` (0 or -errno): what to tell the caller. An error of write-behind
  /// that nobody had been told when the file was opened is told once.
  [[nodiscard]] int flushed(int result) noexcept;
  /// Equal for equal files of the mount.
  [[nodiscard]] std::uint64_t inode_key() const noexcept { return reinterpret_cast<std::uintptr_t>(&*inode); }

 private:
  static constexpr int kChangeable = O_APPEND | O_DIRECT;
  void change(int wanted) noexcept;

  std::atomic<int> flags_;
  std::atomic<int> asked_;  ///< what the caller wants; flags_ lacks O_DIRECT where the backing file system refuses it
  std::atomic<int> inherited_error_;
  std::atomic<bool> readahead_disabled_{false};
  std::mutex mutex_;  ///< guards changes of the flags
};

/// From OPENDIR until RELEASEDIR.
struct DirectoryHandle final : OpenHandle {
  DirectoryHandle(OpenHandles& all, HandleSeat allowed, UniqueFd descriptor, InodePin pinned)
      : OpenHandle(all), seat(std::move(allowed)), fd(std::move(descriptor)), inode(std::move(pinned)) {}

  const HandleSeat seat;
  const UniqueFd fd;
  const InodePin inode;

  std::mutex mutex;
  // Guarded by mutex: entries read from the directory and not yet handed to the kernel.
  std::vector<std::byte> entries;
  std::size_t position = 0;  ///< of the next entry, in bytes of `entries`
  off_t offset = 0;          ///< the directory offset of that entry

  [[nodiscard]] std::uint64_t inode_key() const noexcept { return reinterpret_cast<std::uintptr_t>(&*inode); }
};

inline FileHandle& file_of(const fuse_file_info& info) noexcept {
  return *reinterpret_cast<FileHandle*>(static_cast<std::uintptr_t>(info.fh));
}
inline DirectoryHandle& directory_of(const fuse_file_info& info) noexcept {
  return *reinterpret_cast<DirectoryHandle*>(static_cast<std::uintptr_t>(info.fh));
}

}  // namespace fairfs::fs
