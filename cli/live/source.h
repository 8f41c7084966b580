// Where the live view's readings come from: running daemons, or a recording.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "cli/stat_protocol.h"

namespace fairfs::cli {

/// Something came in from a mount.
struct LiveNews {
  std::size_t mount = 0;
  struct Lost {
    std::string why;
  };
  /// The answer to a line that was sent, or what was wrong with it.
  struct Answer {
    std::string what;  ///< as it was given to `send`
    std::string line;
    bool is_failure = false;
  };
  struct Explanation {
    std::vector<std::string> sentences;
  };
  /// There is nothing more to come.
  struct End {};
  std::variant<StatReply, Lost, Answer, Explanation, End> what;
};

/// Works in a thread of its own, so that a daemon that is slow or stuck never stops the keyboard. All functions from
/// one thread.
class LiveSource {
 public:
  virtual ~LiveSource() = default;

  /// From now on readings of this mount come, one at once and then one every `interval`.
  virtual void watch(std::size_t mount, std::chrono::milliseconds interval) = 0;
  /// None until `watch`.
  virtual void rest() = 0;
  /// Sends a line to a mount's daemon; its answer comes as news.
  virtual void send(std::size_t mount, std::string line, std::string what) = 0;
  /// Asks why a process gets what it gets; an Explanation comes as news, or an Answer that is a failure.
  virtual void explain(std::size_t mount, pid_t pid) = 0;

  /// Readable when there is news.
  [[nodiscard]] virtual int descriptor() const = 0;
  [[nodiscard]] virtual std::vector<LiveNews> take() = 0;
};

}  // namespace fairfs::cli
