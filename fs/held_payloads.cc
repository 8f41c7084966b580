#include "fs/held_payloads.h"

#include <chrono>

namespace fairfs::fs {

HeldPayloads& HeldPayloads::instance() {
  static auto* held = new HeldPayloads;  // never destroyed: a late answer may still hold a part
  return *held;
}

void HeldPayloads::remove(std::size_t bytes) {
  const std::size_t before = bytes_.fetch_sub(bytes, std::memory_order_relaxed);
  if (before < kMost || before - bytes >= kMost) return;
  const std::lock_guard lock{mutex_};
  room_.notify_all();
}

void HeldPayloads::wait_for_room(const std::function<bool()>& ending) {
  using namespace std::chrono_literals;
  std::unique_lock lock{mutex_};
  while (full() && !ending()) room_.wait_for(lock, 100ms, [this] { return !full(); });
}

}  // namespace fairfs::fs
