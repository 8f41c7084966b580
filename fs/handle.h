// What the kernel's file handles (fuse_file_info::fh) stand for.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "fs/fuse.h"
#include "fs/inode_table.h"
#include "fs/unique_fd.h"

namespace fairfs::fs {

/// From OPEN or CREATE until RELEASE; requests use it from many threads at once. Its own backing descriptor, not one
/// shared per inode: errors of earlier writes are told once to each open description, and modes differ.
struct FileHandle {
  FileHandle(UniqueFd descriptor, InodePin pinned, int open_flags);
  ~FileHandle();
  FileHandle(const FileHandle&) = delete;
  FileHandle& operator=(const FileHandle&) = delete;

  const UniqueFd fd;
  const InodePin inode;
  const int flags;    ///< as the backing file was opened: O_ACCMODE, O_APPEND, O_DIRECT, O_SYNC ...
  const bool direct;  ///< the backing file is open with O_DIRECT: offset, length and memory must be aligned
};

/// From OPENDIR until RELEASEDIR.
struct DirectoryHandle {
  DirectoryHandle(UniqueFd descriptor, InodePin pinned) : fd(std::move(descriptor)), inode(std::move(pinned)) {}

  const UniqueFd fd;
  const InodePin inode;

  std::mutex mutex;
  // Guarded by mutex: entries read from the directory and not yet handed to the kernel.
  std::vector<std::byte> entries;
  std::size_t position = 0;  ///< of the next entry, in bytes of `entries`
  off_t offset = 0;          ///< the directory offset of that entry
};

inline FileHandle& file_of(const fuse_file_info& info) noexcept {
  return *reinterpret_cast<FileHandle*>(static_cast<std::uintptr_t>(info.fh));
}
inline DirectoryHandle& directory_of(const fuse_file_info& info) noexcept {
  return *reinterpret_cast<DirectoryHandle*>(static_cast<std::uintptr_t>(info.fh));
}

}  // namespace fairfs::fs
