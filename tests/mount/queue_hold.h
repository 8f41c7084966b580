// Keeps a running daemon from starting anything, for as long as it lives.
#pragma once

#include <filesystem>
#include <string>

#include "tests/mount/unique_fd.h"

namespace fairfs::test {

class QueueHold {
 public:
  /// Asks the daemon of `mountpoint` through its control socket. Throws std::system_error.
  explicit QueueHold(const std::filesystem::path& mountpoint);
  /// Lets go at once, even if a child of this process still has the connection too.
  ~QueueHold();
  QueueHold(const QueueHold&) = delete;
  QueueHold& operator=(const QueueHold&) = delete;
  /// How many requests wait now.
  unsigned long queued() const;

 private:
  std::string ask(const char* line) const;

  UniqueFd connection_;  // the hold ends with it
};

}  // namespace fairfs::test
