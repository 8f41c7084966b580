// The daemon's metrics over HTTP, for a scraper on this machine.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "cli/metrics_address.h"
#include "cli/stat_access.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// One thread with poll; answers GET /metrics (and /) and hangs up. Anybody on this machine may come to a port: nobody
/// there is waited for, and asking again and again costs no more than asking once in `kKept`.
class MetricsServer {
 public:
  /// A client has so long from its first word to the last of its answer.
  static constexpr std::chrono::seconds kPatience{4};
  static constexpr std::size_t kRequestMax = 8192;
  /// Beyond these the one that came first is dropped: those who hold places without asking keep nobody out.
  static constexpr std::size_t kClientsMax = 64;
  /// An answer is given again for so long. Readings are a second apart.
  static constexpr std::chrono::milliseconds kKept{100};

  /// Listens from here on (metrics_listener.h). `text` is called from the server's thread. Throws Failure.
  MetricsServer(const MetricsAddress& address, const StatAccess& access, std::function<std::string()> text);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  struct Client {
    UniqueFd descriptor;
    std::string input, output;  ///< the question, then the answer
    std::size_t sent = 0;       ///< of `output`
    Clock::time_point until;    ///< its patience ends
    bool gone = false;
  };
  void serve();
  void accept_clients();
  void advance(Client& client);
  void receive(Client& client);
  [[nodiscard]] std::string answer(std::string_view request);

  const MetricsAddress address_;
  const std::function<std::string()> text_;
  UniqueFd listener_, end_;
  bool exhausted_ = false;  ///< no descriptor for the next client: don't ask poll about it for a while
  std::vector<Client> clients_;
  std::string kept_;
  Clock::time_point kept_since_{};
  std::thread thread_;  // last: it uses the others
};

}  // namespace fairfs::cli
