// The daemon's control socket.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/stat_access.h"
#include "cli/unique_fd.h"

namespace fairfs::engine {
class TraceBuffer;
}

namespace fairfs::cli {

/// What a client is given until its connection ends, whatever ends it.
struct Keepsake {
  std::shared_ptr<void> hold;                  ///< of the queue
  std::shared_ptr<engine::TraceBuffer> trace;  ///< of requests that end
};

/// Who is at the other end, as the kernel says (SO_PEERCRED).
struct StatPeer {
  uid_t uid = 0;
  bool may_change = false;  ///< root, or the daemon's own user
};

/// Answers one line with one line. Called from the server's thread, must not block for long.
using LineHandler = std::function<std::string(std::string_view, const StatPeer&, Keepsake&)>;

/// One thread with poll; clients are never waited for.
class StatServer {
 public:
  /// Beyond these a client is turned away, with a line that says so. Of the places, half are kept for those who may
  /// change something: strangers can't lock them out.
  static constexpr std::size_t kClientsMax = 64, kStrangersMax = 32, kRequestMax = 4096;
  /// A client that neither asks nor reads for this long is dropped: it holds one of the 64 places and its answer's
  /// memory.
  static constexpr std::chrono::seconds kPatience{10};
  /// And one that is still not done with one question or one answer, in however small pieces.
  static constexpr std::chrono::seconds kExchangeMax{30};

  /// Listens at `directory`/`name`, replacing the socket of a daemon that is gone. Makes the directory (0755 for
  /// root's, 0700 otherwise); the socket is 0600, or open to whom `access` names. Throws std::system_error, also when
  /// the directory is somebody else's. While another's socket is there, or none, `is_due` is asked each second whether
  /// the place is ours again: two may be mounted over one another, and the upper one ends first.
  StatServer(
      const std::string& directory, std::string name, LineHandler handler, StatAccess access = {},
      std::function<bool()> is_due = [] { return false; });
  /// Takes the socket away unless another daemon has replaced it.
  ~StatServer();
  StatServer(const StatServer&) = delete;
  StatServer& operator=(const StatServer&) = delete;

 private:
  struct Client;
  void settle();
  void listen();
  void open_to_others(const std::string& path);
  void serve();
  void look_at_the_place();
  [[nodiscard]] bool is_in_place() const;
  void accept_clients();
  void greet(UniqueFd descriptor);
  [[nodiscard]] std::string_view refusal(const StatPeer& peer) const;
  void advance(Client& client);

  const std::string name_;
  const LineHandler handler_;
  const StatAccess access_;
  const std::string path_;  ///< of the directory, for people
  const std::function<bool()> is_due_;
  UniqueFd directory_, listener_, end_;
  ino_t inode_ = 0;         ///< of our socket
  bool exhausted_ = false;  ///< no descriptor for the next client: don't ask poll about it for a while
  std::vector<Client> clients_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace fairfs::cli
