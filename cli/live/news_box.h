// News from a thread to the one that draws.
#pragma once

#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "cli/live/source.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// Thread-safe.
class NewsBox {
 public:
  /// Throws std::system_error.
  NewsBox();
  void put(LiveNews news);
  [[nodiscard]] std::vector<LiveNews> take();
  /// Readable while there is something in it.
  [[nodiscard]] int descriptor() const { return ready_.get(); }

 private:
  UniqueFd ready_;
  std::mutex mutex_;
  std::vector<LiveNews> news_;
};

/// A thread that no signal interrupts: they are for the one that draws.
[[nodiscard]] std::thread quiet_thread(std::function<void()> body);

}  // namespace fairfs::cli
