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
  std::chrono::steady_clock::time_point last_move;
  Keepsake keepsake;
  bool closing = false;  ///< nothing more to hear; drop it once the output is out
  bool gone = false;

  /// Takes what has arrived, up to one line too long.
  void receive();
  /// Moves what the other side has room for.
  void send();
  /// The next whole line out of `input`; false when there is none.
  [[nodiscard]] bool next_line(std::string& line);
};

}  // namespace fairfs::cli
