#include "tests/memory/shortage.h"

#include <atomic>
#include <cstdlib>
#include <limits>
#include <new>

namespace fairfs::test {
namespace {

constexpr long kNever = std::numeric_limits<long>::max() / 2;

std::atomic<long> left{kNever}, failures{0};
std::atomic<bool> lasts{false};

bool fails() {
  const long before = left.fetch_sub(1, std::memory_order_relaxed);
  const bool failed = before == 0 || (before < 0 && lasts.load(std::memory_order_relaxed));
  if (failed) failures.fetch_add(1, std::memory_order_relaxed);
  return failed;
}

void* take(std::size_t size, std::size_t alignment) {
  for (;;) {
    if (!fails()) {
      const std::size_t whole = (size + alignment - 1) / alignment * alignment;
      if (void* const memory = std::aligned_alloc(alignment, whole == 0 ? alignment : whole)) return memory;
    }
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

}  // namespace

Shortage::Shortage(long after, Kind kind) {
  failures = 0;
  lasts = kind == Kind::lasting;
  left = after;
}

void Shortage::end() {
  lasts = false;
  left = kNever;
}

long Shortage::failed() { return failures; }

}  // namespace fairfs::test

void* operator new(std::size_t size) { return fairfs::test::take(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return fairfs::test::take(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }
