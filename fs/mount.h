// One mount: what every handler needs to know.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>

#include "fs/descriptor_plan.h"
#include "fs/filesystem.h"
#include "fs/fuse.h"
#include "fs/handle_budget.h"
#include "fs/inode_table.h"
#include "fs/kernel_cache.h"
#include "fs/open_handles.h"
#include "fs/other_disks.h"
#include "fs/refusals.h"
#include "fs/relief.h"
#include "fs/space_ahead.h"
#include "fs/sys.h"
#include "fs/unique_fd.h"
#include "fs/write_behind.h"
#include "sched/engine/engine.h"
#include "sched/engine/job.h"

namespace fairfs::fs {

/// Lives as long as the session, is its userdata, and doesn't change while requests are served (the table guards
/// itself).
struct Mount {
  /// Opens the source and /proc/self/fd and looks the root up. Throws std::system_error naming the path.
  Mount(const MountConfig& settings, engine::Engine& scheduler);
  /// After the last request. Whatever the kernel still held is dropped.
  ~Mount() = default;
  Mount(const Mount&) = delete;
  Mount& operator=(const Mount&) = delete;

  const MountConfig config;
  engine::Engine& engine;
  UniqueFd proc_fd;  ///< O_PATH of /proc/self/fd: the way from a descriptor to a second open of the same file
  const DescriptorPlan plan;
  InodeTable inodes;
  std::optional<OtherDisks> other_disks;  ///< always there; made when the source's number is known
  HandleBudget handles;
  Refusals refusals;
  KernelCache kernel_cache;
  SpaceAhead space_ahead;        // after `inodes`, which it holds on to; ends when nobody writes any more
  WriteBehind write_behind;      // after `inodes`, too
  OpenHandles open_handles;      // after all that handles refer to
  std::uint64_t root_mount = 0;  ///< sys::Status::mount of the source
  Inode* root = nullptr;         ///< node FUSE_ROOT_ID, holds a lookup that no forget takes
  bool source_is_local = true;   ///< its attributes can't change on another machine
  /// st_dev of the mounted FUSE file system, which lookups must not enter; 0 until known. Set it once mounted, before
  /// serving: statx(2) with AT_STATX_DONT_SYNC tells it without asking us.
  dev_t own_device = 0;

  /// How many inodes may keep their descriptor for as long as the kernel knows them.
  [[nodiscard]] std::size_t kept_most() const noexcept {
    return plan.kept + (inodes.can_close_descriptors() ? 0 : plan.lent);
  }

  /// A caller's O_DIRECT was refused, and the file is open without: logged the first time. Thread-safe.
  void tell_direct_refused() noexcept;

 private:
  bool relieve() noexcept;

  std::atomic_flag direct_told_;
  const Relief relief_;
};

inline Mount& mount_of(fuse_req_t req) noexcept { return *static_cast<Mount*>(fuse_req_userdata(req)); }

/// Valid while the request lasts: the kernel holds a lookup on every node it names.
inline Inode& inode_of(Mount& mount, fuse_ino_t node) noexcept {
  return node == FUSE_ROOT_ID ? *mount.root : *reinterpret_cast<Inode*>(static_cast<std::uintptr_t>(node));
}
inline Inode& inode_of(fuse_req_t req, fuse_ino_t node) noexcept { return inode_of(mount_of(req), node); }
/// The descriptor (O_PATH) of a node's inode; check it before use.
[[nodiscard]] inline BorrowedFd borrow(Mount& mount, fuse_ino_t node) noexcept {
  return mount.inodes.borrow(inode_of(mount, node));
}
[[nodiscard]] inline BorrowedFd borrow(fuse_req_t req, fuse_ino_t node) noexcept { return borrow(mount_of(req), node); }
inline fuse_ino_t node_of(const Mount& mount, const Inode& inode) noexcept {
  return &inode == mount.root ? FUSE_ROOT_ID : static_cast<fuse_ino_t>(reinterpret_cast<std::uintptr_t>(&inode));
}

inline engine::Caller caller_of(fuse_req_t req) noexcept {
  const fuse_ctx* context = fuse_req_ctx(req);
  return {.thread = context->pid, .uid = context->uid, .gid = context->gid};
}
inline void count_metadata(fuse_req_t req) { mount_of(req).engine.count(caller_of(req), engine::Event::metadata); }

/// The right of the request's caller to one open file more; empty when there is none, which is logged now and then:
/// answer ENFILE.
[[nodiscard]] HandleSeat take_seat(fuse_req_t req);

/// `status` is that of `fd`.
[[nodiscard]] InodeKey key_of(const Mount& mount, int fd, const sys::Status& status) noexcept;

/// The inode number a user sees. File systems mounted inside the source are shown under one device with it, so their
/// numbers get their device mixed in: equal numbers would look like hard links.
ino_t visible_number(const Mount& mount, const InodeKey& key) noexcept;

}  // namespace fairfs::fs
