#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <string_view>

#include "fs/entry.h"
#include "fs/handle.h"
#include "fs/operations.h"
#include "fs/respond.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

// What glibc's readdir reads at once: some hundred entries.
constexpr std::size_t kReadAtOnce = 32768;

/// A listing with look-ups ends after this long, if anything is in it: whoever makes a file in the directory waits as
/// long, and what the caller owes for it (disk_wait.h) is paid before the next. One cold entry may take 10 ms.
constexpr std::chrono::milliseconds kListingMost{10};

/// The clock to 4 ms, which costs next to nothing.
std::chrono::nanoseconds now_coarse() noexcept {
  timespec time{};
  ::clock_gettime(CLOCK_MONOTONIC_COARSE, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

/// Goes to `offset`, which an entry told before. At 0 always, so that a rewound directory is read anew.
int seek(DirectoryHandle& directory, off_t offset) noexcept {
  if (offset != 0 && offset == directory.offset) return 0;
  directory.entries.clear();
  directory.position = 0;
  directory.offset = offset;
  const off_t there = sys::checked(::lseek(directory.fd.get(), offset, SEEK_SET));
  return there < 0 ? static_cast<int>(there) : 0;
}

/// The entry at the present position; null at the end, or with `error` set.
const dirent64* current(DirectoryHandle& directory, int& error) {
  if (directory.position == directory.entries.size()) {
    directory.entries.resize(kReadAtOnce);  // or throws, and nothing has changed
    directory.position = 0;
    const ssize_t length =
        sys::checked(::getdents64(directory.fd.get(), directory.entries.data(), directory.entries.size()));
    directory.entries.resize(static_cast<std::size_t>(std::max<ssize_t>(length, 0)));
    if (length < 0) error = static_cast<int>(length);
    if (length <= 0) return nullptr;
  }
  return reinterpret_cast<const dirent64*>(directory.entries.data() + directory.position);
}

void advance(DirectoryHandle& directory, const dirent64& entry) noexcept {
  directory.offset = entry.d_off;
  directory.position += entry.d_reclen;
}

/// What a listing alone tells of a file; node 0 says that no lookup was taken.
fuse_entry_param listed(const Mount& mount, const DirectoryHandle& directory, const dirent64& entry) noexcept {
  fuse_entry_param result{};
  result.attr.st_ino = visible_number(mount, {.device = directory.inode->key.device, .number = entry.d_ino});
  result.attr.st_mode = DTTOIF(static_cast<mode_t>(entry.d_type));
  return result;
}

/// As `listed`, but looked up where that is possible.
fuse_entry_param looked_up(Mount& mount, const DirectoryHandle& directory, const dirent64& entry) noexcept {
  const std::string_view name = entry.d_name;
  fuse_entry_param result{};
  if (name != "." && name != ".." && has_room(mount)) {
    try {
      if (enter(mount, directory.fd.get(), entry.d_name, result) == 0) return result;
    } catch (const std::bad_alloc&) {  // listed without, then
    }
  }
  return listed(mount, directory, entry);
}

/// Gives the entries from `offset` on to `take`, until it answers false or there are no more. 0 or -errno.
template <class Take>
int fill(DirectoryHandle& directory, off_t offset, const Take& take) {
  const std::lock_guard lock{directory.mutex};
  int error = seek(directory, offset);
  try {
    while (error == 0) {
      const dirent64* const entry = current(directory, error);
      if (entry == nullptr || !take(directory, *entry)) break;
      advance(directory, *entry);
    }
  } catch (const std::bad_alloc&) {  // what was taken is answered: its look-ups are the kernel's to forget
    error = -ENOMEM;
  }
  return error;
}

/// Answers with as many entries from `offset` on as fit. `append(room, size, entry)` says how many bytes the entry
/// takes and writes it if that is not more than `size`.
template <class Append>
void list(fuse_req_t req, std::size_t size, off_t offset, const fuse_file_info& info, const Append& append) noexcept {
  respond(req, [&] {
    const auto room = std::make_unique_for_overwrite<char[]>(size);
    std::size_t used = 0;
    const int error = fill(directory_of(info), offset, [&](const DirectoryHandle& directory, const dirent64& entry) {
      const std::size_t length = append(directory, room.get() + used, size - used, entry);
      if (length > size - used) return false;
      used += length;
      return true;
    });
    if (error < 0 && used == 0) return error;
    // Without the lock: once answered, a RELEASEDIR may delete the handle.
    fuse_reply_buf(req, room.get(), used);
    return 0;
  });
}

}  // namespace

void op_opendir(fuse_req_t req, fuse_ino_t node, fuse_file_info* info) noexcept {
  respond(req, [&] {
    Mount& mount = mount_of(req);
    Inode& inode = inode_of(mount, node);
    HandleSeat seat = take_seat(req);
    if (!seat) return -ENFILE;
    const BorrowedFd path = mount.inodes.borrow(inode);
    if (!path) return path.error();
    UniqueFd fd = sys::open_at(mount.proc_fd.get(), sys::FdName{path.get()}.within(), O_RDONLY | O_DIRECTORY);
    if (!fd) return fd.error();
    auto handle = std::make_unique<DirectoryHandle>(mount.open_handles, std::move(seat), std::move(fd),
                                                    mount.inodes.pin(inode));
    info->fh = reinterpret_cast<std::uintptr_t>(handle.get());
    if (fuse_reply_open(req, info) == 0) static_cast<void>(handle.release());
    return 0;
  });
}

void op_readdir(fuse_req_t req, fuse_ino_t /*node*/, std::size_t size, off_t offset, fuse_file_info* info) noexcept {
  const Mount& mount = mount_of(req);
  list(req, size, offset, *info,
       [&](const DirectoryHandle& directory, char* to, std::size_t room, const dirent64& entry) {
         const fuse_entry_param found = listed(mount, directory, entry);
         return fuse_add_direntry(req, to, room, entry.d_name, &found.attr, entry.d_off);
       });
}

void op_readdirplus(fuse_req_t req, fuse_ino_t /*node*/, std::size_t size, off_t offset,
                    fuse_file_info* info) noexcept {
  Mount& mount = mount_of(req);
  const auto end = now_coarse() + kListingMost;
  list(req, size, offset, *info,
       [&](const DirectoryHandle& directory, char* to, std::size_t room, const dirent64& entry) {
         if (room < size && now_coarse() >= end) return room + 1;
         // Asked first, because a lookup that doesn't fit into the answer would never be forgotten.
         const std::size_t needed = fuse_add_direntry_plus(req, nullptr, 0, entry.d_name, nullptr, 0);
         if (needed > room) return needed;
         const fuse_entry_param found = looked_up(mount, directory, entry);
         return fuse_add_direntry_plus(req, to, room, entry.d_name, &found, entry.d_off);
       });
}

void op_releasedir(fuse_req_t req, fuse_ino_t /*node*/, fuse_file_info* info) noexcept {
  delete &directory_of(*info);
  fuse_reply_err(req, 0);
}

}  // namespace fairfs::fs
