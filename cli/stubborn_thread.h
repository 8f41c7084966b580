// Threads that outlive a shortage of memory.
#pragma once

#include <chrono>
#include <functional>
#include <new>
#include <thread>
#include <utility>

namespace fairfs::cli {

/// Runs `body` until it returns; anew, after a pause, where it lacked memory: a mount must not end because a viewer's
/// answer did not fit.
[[nodiscard]] inline std::thread stubborn_thread(std::function<void()> body) {
  return std::thread{[body = std::move(body)] {
    constexpr std::chrono::milliseconds kPause{100};
    for (;;) {
      try {
        return body();
      } catch (const std::bad_alloc&) {
        std::this_thread::sleep_for(kPause);
      }
    }
  }};
}

}  // namespace fairfs::cli
