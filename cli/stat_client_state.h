// One client of the control socket, as the server sees it.
#pragma once

#include <chrono>
#include <string>

#include "cli/stat_server.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

struct StatServer::Client {
  UniqueFd descriptor;
  std::string input, output;  ///< at most kRequestMax; at most one answer
  std::size_t sent = 0;       ///< of `output`
  StatPeer peer;
  std::chrono::steady_clock::time_point last_move;
  std::chrono::steady_clock::time_point exchange_began;  ///< of the question that comes in, or the answer that goes out
  Keepsake keepsake;
  bool closing = false;  ///< nothing more to hear; drop it once the output is out
  bool gone = false;

  /// A question is half here, or an answer half out.
  [[nodiscard]] bool is_busy() const { return !input.empty() || !output.empty(); }
  /// Takes what has arrived, up to one line too long.
  void receive();
  /// Moves what the other side has room for.
  void send();
  /// The next whole line out of `input`; false when there is none.
  [[nodiscard]] bool next_line(std::string& line);
};

}  // namespace fairfs::cli
