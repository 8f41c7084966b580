// The daemon's signals, handled by a thread of their own.
#pragma once

#include <functional>
#include <thread>

#include "cli/unique_fd.h"

namespace fairfs::cli {

/// Blocks SIGTERM, SIGINT and SIGHUP in this thread and those it starts later, ignores SIGPIPE (a client of the socket
/// went away) and SIGXFSZ (the limit of file sizes is the caller's, and the kernel has checked it). Call before any
/// thread exists. Works too where the signals were ignored, as shells do for commands in the background.
void block_signals();

struct SignalActions {
  std::function<void()> stop;    ///< the first SIGTERM or SIGINT
  std::function<void()> reload;  ///< every SIGHUP
  std::function<void()> quit;    ///< a second SIGTERM or SIGINT: the orderly way is stuck
};

/// After block_signals. The actions are called from its thread, one at a time, until it is destroyed.
class Signals {
 public:
  explicit Signals(SignalActions actions);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  void serve();

  SignalActions actions_;
  UniqueFd signals_, end_;
  std::thread thread_;
};

}  // namespace fairfs::cli
