// What is in files: reading, writing, mapping, holes.
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string>

#include "tests/mount/differential/side.h"
#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

constexpr std::size_t kAlignment = 4096;  // of memory: what O_DIRECT needs at most

char* buffer() {
  static char* const memory = static_cast<char*>(std::aligned_alloc(kAlignment, kSizeMax));
  return memory;
}

sigjmp_buf beyond_end;
void on_bus_error(int) { ::siglongjmp(beyond_end, 1); }

/// Writes `bytes` into the mapping, or reads as much. False after a SIGBUS.
bool touch(void* memory, const std::string& bytes, bool writes, std::uint64_t& hash) {
  if (sigsetjmp(beyond_end, 1) != 0) return false;
  if (writes)
    std::memcpy(memory, bytes.data(), bytes.size());
  else
    hash = hash_of(memory, bytes.size());
  return true;
}

/// Reads or writes through a shared mapping. Touching a page beyond the end is a signal, and that is compared too.
void map(int file, const Operation& operation, Outcome& outcome) {
  const bool writes = operation.kind == Kind::write_mapped;
  const off_t start = operation.offset / static_cast<off_t>(kAlignment) * static_cast<off_t>(kAlignment);
  const std::string bytes = pattern(operation.length % 16384 + 1, operation.fill);
  void* const memory =
      ::mmap(nullptr, bytes.size(), writes ? PROT_READ | PROT_WRITE : PROT_READ, MAP_SHARED, file, start);
  if (memory == MAP_FAILED) {
    outcome.result = -1;
    return;
  }
  struct sigaction action {
  }, before{};
  action.sa_handler = on_bus_error;
  ::sigaction(SIGBUS, &action, &before);
  if (!touch(memory, bytes, writes, outcome.bytes)) outcome.signal = SIGBUS;
  ::sigaction(SIGBUS, &before, nullptr);
  // Until then the backing file has neither the bytes nor the time: a mount learns of them from the write-back.
  if (writes) outcome.result = ::msync(memory, bytes.size(), MS_SYNC);
  const int error = errno;
  ::munmap(memory, bytes.size());
  errno = error;
}

/// Where holes are depends on when delayed allocation ends and on which zeros are cached; that those found are zeros
/// doesn't. compare_trees sees to their places.
void seek_hole(int file, const Operation& operation, Outcome& outcome) {
  const int whence = operation.flags % 2 == 0 ? SEEK_DATA : SEEK_HOLE;
  struct stat status {};
  const bool readable = (::fcntl(file, F_GETFL) & (O_ACCMODE | O_DIRECT)) != O_WRONLY;
  off_t found = ::lseek(file, operation.offset, whence);
  outcome.error = found < 0 ? errno : 0;
  if (::fstat(file, &status) == 0 && outcome.error == ENXIO && operation.offset < status.st_size) {
    found = status.st_size;  // nothing but a hole up to the end
    outcome.error = 0;
  }
  outcome.result = outcome.error == 0 ? 0 : -1;
  ::lseek(file, 0, SEEK_SET);
  if (outcome.error != 0) return;
  const off_t end = whence == SEEK_DATA ? found : std::min<off_t>(found + 1, status.st_size);
  const off_t start = whence == SEEK_DATA ? operation.offset : found;
  bool sound = found >= operation.offset && found <= status.st_size;
  if (readable && end > start && end - start <= kSizeMax) {
    const ssize_t count = ::pread(file, buffer(), static_cast<std::size_t>(end - start), start);
    sound = sound && std::all_of(buffer(), buffer() + std::max<ssize_t>(count, 0), [](char byte) { return byte == 0; });
  }
  outcome.bytes = sound ? 0 : static_cast<std::uint64_t>(found) + 1;
}

bool writes(Kind kind) { return kind == Kind::write || kind == Kind::write_at || kind == Kind::append_once; }

/// With O_DIRECT, not beginning on a page's border. What comes of it is the file system's affair: ext4 reads a hole but
/// no blocks then (and a write through a mapping makes blocks for as many pages as its page cache keeps together); it
/// takes set-id bits off before it refuses a write, and xfs after; and for an append xfs looks at the caller's offset.
bool is_unaligned(int file, const Operation& operation) {
  const int flags = ::fcntl(file, F_GETFL);
  const bool reads = operation.kind == Kind::read || operation.kind == Kind::read_at;
  if ((flags & O_DIRECT) == 0 || !(reads || writes(operation.kind))) return false;
  const bool uses_position = operation.kind == Kind::read || operation.kind == Kind::write;
  const off_t place = uses_position ? ::lseek(file, 0, SEEK_CUR) : operation.offset;
  struct stat status {};
  const bool appends = !reads && ((flags & O_APPEND) != 0 || operation.kind == Kind::append_once);
  const off_t end = appends && ::fstat(file, &status) == 0 ? status.st_size : 0;
  return (place | end) % static_cast<off_t>(kAlignment) != 0;
}

/// Positions in a directory are whatever its file system likes.
bool is_directory(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && S_ISDIR(status.st_mode);
}

/// A file that grows by appending alone would have no end.
bool is_long(int file) {
  struct stat status {};
  return ::fstat(file, &status) == 0 && (status.st_size > kSizeMax || ::lseek(file, 0, SEEK_CUR) > kSizeMax);
}

/// In pieces: how much one call copies is not promised. Not with O_DIRECT set since the open: the request that a mount
/// gets doesn't tell.
std::int64_t copy(int from, int to, const Operation& operation) {
  if (((::fcntl(from, F_GETFL) | ::fcntl(to, F_GETFL)) & O_DIRECT) != 0) return 0;
  off_t from_offset = operation.offset, to_offset = operation.other_offset;
  std::int64_t copied = 0;
  while (copied < static_cast<std::int64_t>(operation.length)) {
    const ssize_t step =
        ::copy_file_range(from, &from_offset, to, &to_offset, operation.length - static_cast<std::uint64_t>(copied), 0);
    if (step < 0) return copied > 0 ? copied : -1;
    if (step == 0) break;
    copied += step;
  }
  return copied;
}

}  // namespace

void Side::act_on_contents(const Operation& operation, Outcome& outcome) {
  const int file = handle(operation.slot);
  auto length = std::min<std::size_t>(operation.length, kSizeMax / 2);
  // Of an O_DIRECT write whose end isn't aligned, the extents before the last are written and then all of it fails: how
  // many there are is the file system's affair.
  if ((::fcntl(file, F_GETFL) & O_DIRECT) != 0) length = length / kAlignment * kAlignment;
  char* const memory = buffer();
  if ((writes(operation.kind) && is_long(file)) || is_unaligned(file, operation)) return;
  if ((operation.kind == Kind::seek || operation.kind == Kind::seek_hole) && is_directory(file)) return;
  if (writes(operation.kind)) pattern(length, operation.fill).copy(memory, length);
  const auto reads = [&](ssize_t count) {
    outcome.result = count;
    const int error = errno;
    if (count > 0) outcome.bytes = hash_of(memory, static_cast<std::size_t>(count));
    errno = error;
  };
  switch (operation.kind) {
    case Kind::read:
      reads(::read(file, memory, length));
      break;
    case Kind::read_at:
      reads(::pread(file, memory, length, operation.offset));
      break;
    case Kind::write:
      outcome.result = ::write(file, memory, length);
      break;
    case Kind::write_at:
      outcome.result = ::pwrite(file, memory, length, operation.offset);
      break;
    case Kind::append_once: {
      const iovec part{memory, length};
      outcome.result = ::pwritev2(file, &part, 1, operation.offset, RWF_APPEND);
      break;
    }
    case Kind::truncate_handle:
      outcome.result = ::ftruncate(file, operation.flags == 0 ? -1 : operation.offset);
      break;
    case Kind::seek:
      outcome.result = ::lseek(file, operation.offset - (operation.flags == SEEK_END ? 4096 : 0), operation.flags % 3);
      break;
    case Kind::allocate:
      outcome.result = ::fallocate(file, operation.flags, operation.offset, static_cast<off_t>(operation.length));
      break;
    case Kind::copy_range:
      outcome.result = copy(file, handle(operation.other_slot), operation);
      break;
    case Kind::set_flags:
      outcome.result = ::fcntl(file, F_SETFL, operation.flags);
      break;
    case Kind::read_mapped:
    case Kind::write_mapped:
      map(file, operation, outcome);
      break;
    case Kind::seek_hole:
      seek_hole(file, operation, outcome);
      return;
    case Kind::sync:
      outcome.result = operation.flags == 0 ? ::fsync(file) : ::fdatasync(file);
      break;
    default:
      outcome.result = ::posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
      errno = static_cast<int>(outcome.result);
      outcome.result = 0;
  }
  outcome.error = outcome.result < 0 ? errno : 0;
}

}  // namespace fairfs::test
