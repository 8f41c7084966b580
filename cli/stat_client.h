// fairfs-stat's side of the control socket.
#pragma once

#include <chrono>
#include <string>

#include "cli/socket_path.h"
#include "cli/stat_protocol.h"

namespace fairfs::cli {

/// How long a daemon may take for an answer: it never waits for the disk in that thread.
inline constexpr std::chrono::seconds kAnswerTime{5};

/// The socket directory of the mount's owner.
[[nodiscard]] std::string socket_directory_of(const std::string& mountpoint, const std::vector<Mount>& mounts);

/// Connects, asks, reads the answer, hangs up. Throws Failure: no fairfs there, its daemon is dead or silent.
[[nodiscard]] StatReply ask(const std::string& directory, const std::string& mountpoint, StatRequest request);

}  // namespace fairfs::cli
