// fairfs-stat's side of the control socket.
#pragma once

#include <chrono>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/failure.h"
#include "cli/socket_path.h"
#include "cli/stat_protocol.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// How long a daemon may take for an answer: it never waits for the disk in that thread.
inline constexpr std::chrono::seconds kAnswerTime{5};

struct StatTarget;
/// The daemon's own words as a Failure.
[[nodiscard]] Failure refused(const StatTarget& target, std::string_view what);

/// The socket directory of the mount's owner.
[[nodiscard]] std::string socket_directory_of(const std::string& mountpoint, const std::vector<Mount>& mounts);

/// One daemon, to whom a connection is made for each question.
struct StatTarget {
  std::string directory;   ///< of its socket
  std::string mountpoint;  ///< canonical
};

/// A connection that lasts: for what the daemon keeps for it. It is dropped after StatServer::kPatience without a
/// question.
class StatConnection {
 public:
  /// Throws Failure as `ask_line`.
  explicit StatConnection(const StatTarget& target);
  [[nodiscard]] std::string ask(std::string_view question, int stop = -1);

 private:
  const StatTarget target_;
  UniqueFd daemon_;
};

/// Connects, sends the line, reads the answer (without its end), hangs up. Throws Failure: no fairfs there, its daemon
/// is dead or silent, or `stop` (a descriptor, -1 for none) has become readable.
[[nodiscard]] std::string ask_line(const StatTarget& target, std::string_view question, int stop = -1);

/// What `parse` (of stat_protocol.h) makes of the answer. Throws Failure also for an answer that is an error.
template <typename Parse>
[[nodiscard]] auto ask(const StatTarget& target, std::string_view question, Parse parse) {
  const std::string line = ask_line(target, question);
  try {
    return parse(line);
  } catch (const std::runtime_error& error) {
    throw refused(target, error.what());
  }
}
[[nodiscard]] inline StatReply ask(const StatTarget& target, StatRequest request) {
  return ask(target, to_line(request), &parse_reply);
}

}  // namespace fairfs::cli
