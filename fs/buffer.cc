#include "fs/buffer.h"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace fairfs::fs {

namespace {

constexpr std::size_t kHugePage = std::size_t{2} << 20;

/// A mapping of its own: page-aligned, and given back to the system when it is not kept. Huge pages need their border.
char* map(std::size_t size, Pages pages) {
  const std::size_t slack = size >= kHugePage / 2 && pages == Pages::huge ? kHugePage : 0;
  void* memory = ::mmap(nullptr, size + slack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  auto* start = static_cast<char*>(memory);
  if (slack == 0) return start;
  const auto address = reinterpret_cast<std::uintptr_t>(start);
  const std::size_t before = (kHugePage - address % kHugePage) % kHugePage;
  if (before != 0) ::munmap(start, before);
  ::munmap(start + before + size, slack - before);
  ::madvise(start + before, size, MADV_HUGEPAGE);
  return start + before;
}

}  // namespace

Buffer& Buffer::operator=(Buffer&& other) noexcept {
  if (this != &other) {
    release();
    data_ = std::exchange(other.data_, nullptr);
    capacity_ = std::exchange(other.capacity_, 0);
    pages_ = other.pages_;
  }
  return *this;
}

void Buffer::release() noexcept {
  if (data_ != nullptr) BufferPool::instance().give_back(data_, capacity_, pages_);
  data_ = nullptr;
}

BufferPool& BufferPool::instance() {
  static auto* pool = new BufferPool;  // never destroyed: a late answer may still hold a buffer
  return *pool;
}

BufferPool::Kept* BufferPool::kept_of(std::size_t capacity, Pages pages) noexcept {
  const auto order = static_cast<unsigned>(std::bit_width(capacity - 1)) - kSmallest;
  return order < kClasses && pages == Pages::huge ? &free_[order] : nullptr;
}

Buffer BufferPool::take(std::size_t size, Pages pages) {
  const std::size_t capacity = std::bit_ceil(std::max(size, std::size_t{1} << kSmallest));
  {
    const std::lock_guard lock{mutex_};
    in_use_ += capacity;
    if (Kept* const free = kept_of(capacity, pages); free != nullptr && !free->blocks.empty()) {
      char* data = free->blocks.back();
      free->blocks.pop_back();
      free->least = std::min(free->least, free->blocks.size());
      return {data, capacity, pages};
    }
  }
  try {
    return {map(capacity, pages), capacity, pages};
  } catch (...) {
    const std::lock_guard lock{mutex_};
    in_use_ -= capacity;
    throw;
  }
}

void BufferPool::lay_by(std::size_t count, std::size_t size) {
  const std::lock_guard lock{mutex_};
  spare_size_ = std::bit_ceil(size);
  spares_.reserve(count);
  while (spares_.size() < count) spares_.push_back(map(spare_size_, Pages::ordinary));
}

Buffer BufferPool::take_spare(std::size_t size) {
  const std::lock_guard lock{mutex_};
  if (spares_.empty() || size > spare_size_) throw std::bad_alloc();
  char* const data = spares_.back();
  spares_.pop_back();
  ++spares_missing_;
  in_use_ += spare_size_;
  return {data, spare_size_, Pages::ordinary};
}

void BufferPool::trim() noexcept {
  for (unsigned i = 0; i < kClasses; ++i) {
    Kept& free = free_[i];
    for (;;) {  // one block at a time: unmapping takes long, and others want the lock
      char* unused = nullptr;
      {
        const std::lock_guard lock{mutex_};
        if (free.least == 0) {
          free.least = free.blocks.size();
          break;
        }
        --free.least;
        unused = free.blocks.front();
        free.blocks.erase(free.blocks.begin());
      }
      ::munmap(unused, std::size_t{1} << (kSmallest + i));
    }
  }
}

std::size_t BufferPool::in_use() const {
  const std::lock_guard lock{mutex_};
  return in_use_;
}

std::size_t BufferPool::kept() const {
  const std::lock_guard lock{mutex_};
  std::size_t bytes = 0;
  for (unsigned i = 0; i < kClasses; ++i) bytes += free_[i].blocks.size() << (kSmallest + i);
  return bytes;
}

void BufferPool::give_back(char* data, std::size_t capacity, Pages pages) noexcept {
  {
    const std::lock_guard lock{mutex_};
    in_use_ -= capacity;
    if (is_short() && capacity == spare_size_) {
      spares_.push_back(data);
      --spares_missing_;
      return;
    }
    Kept* const free = kept_of(capacity, pages);
    if (free != nullptr && free->blocks.size() * capacity < kKeptBytes) {
      // Grows at most once per size and doubling; if memory is that short the block is simply unmapped below.
      try {
        free->blocks.push_back(data);
        return;
      } catch (const std::bad_alloc&) {
      }
    }
  }
  ::munmap(data, capacity);
}

}  // namespace fairfs::fs
