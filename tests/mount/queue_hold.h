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
  unsigned long queued() const { return number("queued"); }
  /// Memory of writes that wait with their payload, bytes.
  unsigned long held_bytes() const { return number("held_bytes"); }

 private:
  /// In the daemon's answer, the last one of that name.
  unsigned long number(const std::string& name) const;
  std::string ask(const char* line) const;

  UniqueFd connection_;  // the hold ends with it
};

}  // namespace fairfs::test
