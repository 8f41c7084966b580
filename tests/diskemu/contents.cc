#include "tests/diskemu/contents.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>

namespace fairfs::test {
namespace {

constexpr std::uint64_t kPage = 4096;  // bytes

[[noreturn]] void fail(const std::string& what) { throw std::system_error(errno, std::generic_category(), what); }

void* map_file(const std::string& path, std::uint64_t size) {
  const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (fd < 0) fail("open " + path);
  if (ftruncate(fd, static_cast<off_t>(size)) != 0) fail("resize " + path);
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (base == MAP_FAILED) fail("map " + path);
  close(fd);  // the mapping keeps the file
  return base;
}

// Anonymous memory, because a shared memory file gives a page even to a read of a hole.
void* map_memory(std::uint64_t size) {
  void* base = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) fail("reserve memory for the disk");
  // A huge page for 4 KiB written would undo the sparseness.
  madvise(base, size, MADV_NOHUGEPAGE);
  return base;
}

bool is_zero(const char* data, std::uint64_t bytes) {
  return bytes == 0 || (data[0] == 0 && std::memcmp(data, data + 1, bytes - 1) == 0);
}

}  // namespace

Contents::Contents(std::uint64_t size, const std::string& path)
    : size_{size},
      in_memory_{path.empty()},
      base_{static_cast<char*>(path.empty() ? map_memory(size) : map_file(path, size))} {}

Contents::~Contents() { munmap(base_, size_); }

void Contents::write(const char* data, std::uint64_t bytes, std::uint64_t offset) {
  // A file of zeros is what most tests read; looking at a hole takes no memory, writing to it does.
  if (in_memory_ && is_zero(data, bytes) && is_zero(base_ + offset, bytes)) return;
  std::memcpy(base_ + offset, data, bytes);
}

void Contents::discard(std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t end = offset + bytes;
  const std::uint64_t first = std::min(end, (offset + kPage - 1) / kPage * kPage);
  const std::uint64_t last = std::max(first, end / kPage * kPage);
  std::memset(base_ + offset, 0, first - offset);
  std::memset(base_ + last, 0, end - last);
  const bool given_back =
      first == last || madvise(base_ + first, last - first, in_memory_ ? MADV_DONTNEED : MADV_REMOVE) == 0;
  if (!given_back) std::memset(base_ + first, 0, last - first);  // a filesystem that cannot punch holes
}

}  // namespace fairfs::test
