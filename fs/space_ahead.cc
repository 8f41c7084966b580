#include "fs/space_ahead.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <exception>
#include <optional>
#include <utility>

#include "fs/mount_kind.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// Runs of writes are looked at once for so many bytes.
constexpr std::uint64_t kStep = std::uint64_t{1} << 20;

/// How often files that are to be given back are looked at; those that others keep open less and less often.
constexpr std::chrono::milliseconds kRound{100}, kPauseMost{10'000};

/// Takes the space off. It is a change of the file's contents to the kernel, which stamps the mtime and drops file
/// capabilities (root's truncating, too): both are put back.
void shorten(int fd, const struct stat& found) {
  constexpr const char* kCapability = "security.capability";
  std::array<char, XATTR_CAPS_SZ> capability;
  const ssize_t length = ::fgetxattr(fd, kCapability, capability.data(), capability.size());
  if (length < 0 && errno == ERANGE) return;  // of a kind that is not known here
  const timespec times[] = {{.tv_sec = 0, .tv_nsec = UTIME_OMIT}, found.st_mtim};
  if (::ftruncate(fd, found.st_size) == 0) ::futimens(fd, times);
  if (length > 0) ::fsetxattr(fd, kCapability, capability.data(), static_cast<std::size_t>(length), 0);
}

sched::FileId id_of(const Inode& inode) { return sched::FileId{reinterpret_cast<std::uintptr_t>(&inode)}; }
sched::Time now() { return sched::Time{std::chrono::steady_clock::now().time_since_epoch()}; }

}  // namespace

SpaceAhead::SpaceAhead(InodeTable& inodes, const Place& place)
    // Leases on others' files and truncating them are root's; where a quota counts blocks, these would count, too.
    : inodes_(inodes),
      proc_fd_(place.proc_fd),
      wanted_(place.wanted && ::geteuid() == 0 && is_ext4_without_quota(place.source)) {}

SpaceAhead::~SpaceAhead() {
  {
    const std::lock_guard lock{mutex_};
    stopping_ = true;
  }
  changed_.notify_all();
  if (keeper_.joinable()) keeper_.join();
  visit_all(true);
}

void SpaceAhead::before_write(const FileHandle& handle, std::uint64_t offset, std::uint64_t bytes) noexcept {
  if (!wanted_) return;
  Inode& inode = *handle.inode;
  const std::uint64_t end = offset + bytes;
  if (inode.run_end.exchange(end, std::memory_order_relaxed) != offset)
    inode.run_start.store(offset, std::memory_order_relaxed);
  const std::uint64_t start = inode.run_start.load(std::memory_order_relaxed);
  if (offset / kStep == end / kStep || end < start + sched::SpacePlan::kRunLeast) return;
  if (inode.apart || inode.keeps_space.load(std::memory_order_relaxed)) return;
  try {
    grow(handle, offset, {start, end - start});
  } catch (const std::exception&) {  // no memory, no thread: the file does without
  }
}

void SpaceAhead::grow(const FileHandle& handle, std::uint64_t offset, const sched::SpacePlan::Range& run) {
  Inode& inode = *handle.inode;
  const sched::FileId file = id_of(inode);
  std::optional<sched::SpacePlan::Range> wanted;
  bool first;
  {
    const std::lock_guard lock{mutex_};
    if (stopping_) return;
    if (!keeper_.joinable()) keeper_ = std::thread([this] { look_after(); });
    if (growing_.empty()) changed_.notify_one();
    if (const auto [place, added] = growing_.try_emplace(file); added) place->second.inode = inodes_.pin(inode);
    wanted = plan_.grows(file, run, now());
    first = !plan_.has_reserved(file);
  }
  if (!wanted) return;
  // Not under the lock: it may read the disk. Nobody else writes the file: the kernel holds its lock for this write.
  const std::uint64_t bytes = reserve(handle, offset, *wanted, first);
  const std::lock_guard lock{mutex_};
  if (bytes != 0)
    plan_.reserved(file, {wanted->offset, bytes});
  else
    plan_.refused(file);
}

std::uint64_t SpaceAhead::reserve(const FileHandle& handle, std::uint64_t offset, const sched::SpacePlan::Range& wanted,
                                  bool first) {
  const int fd = handle.fd.get();
  struct stat attributes;
  struct statfs system {};
  if (sys::stat(fd, attributes) < 0 || static_cast<std::uint64_t>(attributes.st_size) != offset) return 0;
  if (::fstatfs(fd, &system) != 0 || (first && has_space_behind(fd, offset))) return 0;
  std::uint64_t bytes;
  {
    const std::lock_guard lock{mutex_};
    bytes = plan_.allowed(id_of(*handle.inode), wanted, system.f_bavail * static_cast<std::uint64_t>(system.f_bsize));
  }
  if (bytes == 0) return 0;
  // An older file without extents can't have it.
  const int result = ::fallocate(fd, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(wanted.offset), static_cast<off_t>(bytes));
  return result == 0 ? bytes : 0;
}

void SpaceAhead::forgotten(Inode& inode) noexcept {
  if (!wanted_ || inode.run_end.load(std::memory_order_relaxed) == 0) return;
  {
    const BorrowedFd file = inodes_.borrow(inode);
    struct stat attributes;
    if (!file || sys::stat(file.get(), attributes) < 0 || attributes.st_nlink != 0) return;
  }
  std::unordered_map<sched::FileId, Growing>::node_type gone;  // let go without the lock
  const std::lock_guard lock{mutex_};
  if (gone = growing_.extract(id_of(inode)); !gone.empty()) plan_.forget(id_of(inode));
}

void SpaceAhead::look_after() {
  std::unique_lock lock{mutex_};
  while (!stopping_) {
    if (growing_.empty())
      changed_.wait(lock, [this] { return stopping_ || !growing_.empty(); });
    else
      changed_.wait_for(lock, kRound, [this] { return stopping_; });
    if (stopping_) return;
    lock.unlock();
    visit_all(false);
    lock.lock();
  }
}

void SpaceAhead::visit_all(bool at_the_end) {
  const auto when = Clock::now();
  std::unordered_map<sched::FileId, Growing> idle, closed;  // let go without the lock: a last hold closes a file
  {
    const std::lock_guard lock{mutex_};
    for (const sched::FileId file : plan_.take_idle(now())) idle.insert(growing_.extract(file));
    for (auto place = growing_.begin(); place != growing_.end();) {
      const auto next = std::next(place);
      const Inode& inode = *place->second.inode;
      const bool closed_by_all = inode.writers == 0;
      if (closed_by_all && !plan_.has_reserved(place->first)) {
        plan_.forget(place->first);
        idle.insert(growing_.extract(place));
      } else if (at_the_end || (closed_by_all && place->second.next_try <= when)) {
        closed.insert(growing_.extract(place));
      }
      place = next;
    }
  }
  for (auto& [file, growing] : closed) {
    const bool given = give_back(*growing.inode) || at_the_end;
    const std::lock_guard lock{mutex_};
    if (given) {
      plan_.forget(file);
      continue;
    }
    growing.pause = std::min(growing.pause * 2 + kRound, kPauseMost);
    growing.next_try = when + growing.pause;
    if (!growing_.contains(file)) growing_.emplace(file, std::move(growing));
  }
}

bool SpaceAhead::give_back(Inode& inode) noexcept {
  const BorrowedFd path = inodes_.borrow(inode);
  if (!path) return true;
  if (inode.keeps_space.load(std::memory_order_relaxed)) return true;
  const UniqueFd fd = sys::open_at(proc_fd_, sys::FdName{path.get()}.within(), O_WRONLY | O_NOCTTY | O_NONBLOCK);
  if (!fd) return fd.error() != -ETXTBSY && fd.error() != -EAGAIN;
  // Changes of what is put back come through there, too: one that comes meanwhile must not be undone.
  const std::lock_guard lock{inode.pages_mutex};
  // Told of another's open(2) by a signal that nobody minds; the usual one would end us.
  if (::fcntl(fd.get(), F_SETSIG, SIGURG) != 0 || ::fcntl(fd.get(), F_SETLEASE, F_WRLCK) != 0) return false;
  struct stat found;
  if (sys::stat(fd.get(), found) == 0 && found.st_nlink != 0 && has_space_behind(fd.get(), found.st_size))
    shorten(fd.get(), found);
  ::fcntl(fd.get(), F_SETLEASE, F_UNLCK);
  return true;
}

}  // namespace fairfs::fs
