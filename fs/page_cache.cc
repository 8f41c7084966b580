#include "fs/page_cache.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>

namespace fairfs::fs {

namespace {

constexpr long kCachestat = 451;  // the same number on every architecture; Debian 12's headers don't have it
constexpr off_t kPage = 4096;
constexpr std::size_t kPagesMax = 512;  // more than any request has

struct CachestatRange {
  std::uint64_t offset, length;
};
struct Cachestat {
  std::uint64_t cached, dirty, writeback, evicted, recently_evicted;
};

std::atomic<bool> cachestat_missing{false};

off_t pages_of(off_t offset, off_t end) { return end <= offset ? 0 : (end - 1) / kPage - offset / kPage + 1; }

/// The end of the range inside the file, or -1.
off_t clipped_end(int fd, off_t offset, std::size_t size) {
  struct stat status;
  if (::fstat(fd, &status) != 0) return -1;
  return std::min<off_t>(offset + static_cast<off_t>(size), status.st_size);
}

bool resident(int fd, off_t offset, off_t end) {
  const off_t start = offset / kPage * kPage;
  const auto length = static_cast<std::size_t>(end - start);
  if (length > kPagesMax * kPage) return false;
  void* map = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, fd, start);
  if (map == MAP_FAILED) return false;
  std::array<unsigned char, kPagesMax> pages{};
  const bool asked = ::mincore(map, length, pages.data()) == 0;
  ::munmap(map, length);
  const auto count = static_cast<std::size_t>(pages_of(start, end));
  return asked && std::all_of(pages.begin(), pages.begin() + static_cast<std::ptrdiff_t>(count),
                              [](unsigned char page) { return (page & 1) != 0; });
}

}  // namespace

bool page_cache_holds(int fd, off_t offset, std::size_t size) noexcept {
  if (size == 0) return true;
  if (!cachestat_missing.load(std::memory_order_relaxed)) {
    CachestatRange range{static_cast<std::uint64_t>(offset), size};
    Cachestat found{};
    if (::syscall(kCachestat, fd, &range, &found, 0) == 0) {
      const auto cached = static_cast<off_t>(found.cached);
      if (cached >= pages_of(offset, offset + static_cast<off_t>(size))) return true;
      if (cached == 0) return false;
      const off_t end = clipped_end(fd, offset, size);
      return end >= 0 && cached >= pages_of(offset, end);
    }
    if (errno == ENOSYS) cachestat_missing.store(true, std::memory_order_relaxed);
  }
  const off_t end = clipped_end(fd, offset, size);
  return end >= 0 && (end <= offset || resident(fd, offset, end));
}

}  // namespace fairfs::fs
