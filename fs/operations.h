// The handlers of all requests, with libfuse's signatures (fuse_lowlevel_ops documents them one by one).
//
// Each replies exactly once, from any thread; none throws. Metadata is done at once on the thread that read the
// request; reads, writes and syncs become jobs of the engine.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>

#include "fs/fuse.h"

namespace fairfs::fs {

// Names
void op_lookup(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept;
void op_forget(fuse_req_t req, fuse_ino_t node, std::uint64_t count) noexcept;
void op_forget_multi(fuse_req_t req, std::size_t count, fuse_forget_data* forgets) noexcept;
void op_mknod(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, dev_t device) noexcept;
void op_mkdir(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode) noexcept;
void op_symlink(fuse_req_t req, const char* target, fuse_ino_t parent, const char* name) noexcept;
void op_link(fuse_req_t req, fuse_ino_t node, fuse_ino_t parent, const char* name) noexcept;
void op_unlink(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept;
void op_rmdir(fuse_req_t req, fuse_ino_t parent, const char* name) noexcept;
void op_rename(fuse_req_t req, fuse_ino_t parent, const char* name, fuse_ino_t new_parent, const char* new_name,
               unsigned flags) noexcept;
void op_readlink(fuse_req_t req, fuse_ino_t node) noexcept;

// Attributes
void op_getattr(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;
void op_setattr(fuse_req_t req, fuse_ino_t node, struct stat* attributes, int fields, fuse_file_info* info) noexcept;
void op_setxattr(fuse_req_t req, fuse_ino_t node, const char* name, const char* value, std::size_t size,
                 int flags) noexcept;
void op_getxattr(fuse_req_t req, fuse_ino_t node, const char* name, std::size_t size) noexcept;
void op_listxattr(fuse_req_t req, fuse_ino_t node, std::size_t size) noexcept;
void op_removexattr(fuse_req_t req, fuse_ino_t node, const char* name) noexcept;
void op_ioctl(fuse_req_t req, fuse_ino_t node, unsigned command, void* argument, fuse_file_info* info, unsigned flags,
              const void* input, std::size_t input_size, std::size_t output_size) noexcept;

// Files
void op_open(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;
void op_create(fuse_req_t req, fuse_ino_t parent, const char* name, mode_t mode, fuse_file_info* info) noexcept;
void op_flush(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;
void op_release(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;
void op_lseek(fuse_req_t req, fuse_ino_t node, off_t offset, int whence, fuse_file_info* info) noexcept;

// Directories
void op_opendir(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;
void op_readdir(fuse_req_t req, fuse_ino_t node, std::size_t size, off_t offset, fuse_file_info* info) noexcept;
void op_readdirplus(fuse_req_t req, fuse_ino_t node, std::size_t size, off_t offset, fuse_file_info* info) noexcept;
void op_releasedir(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept;

// Space
void op_statfs(fuse_req_t req, fuse_ino_t node) noexcept;
void op_fallocate(fuse_req_t req, fuse_ino_t node, int mode, off_t offset, off_t length, fuse_file_info* info) noexcept;
void op_copy_file_range(fuse_req_t req, fuse_ino_t from, off_t from_offset, fuse_file_info* from_info, fuse_ino_t to,
                        off_t to_offset, fuse_file_info* to_info, std::size_t length, int flags) noexcept;

// Data
void op_read(fuse_req_t req, fuse_ino_t node, std::size_t size, off_t offset, fuse_file_info* info) noexcept;
void op_write(fuse_req_t req, fuse_ino_t node, const char* data, std::size_t size, off_t offset,
              fuse_file_info* info) noexcept;
void op_fsync(fuse_req_t req, fuse_ino_t node, int datasync, fuse_file_info* info) noexcept;
void op_fsyncdir(fuse_req_t req, fuse_ino_t node, int datasync, fuse_file_info* info) noexcept;

}  // namespace fairfs::fs
