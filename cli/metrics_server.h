// The daemon's metrics over HTTP, for a scraper on this machine.
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <thread>

#include "cli/metrics_address.h"
#include "cli/stat_access.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// One thread, one client at a time: a scraper asks every few seconds. Answers GET /metrics (and /) and hangs up.
class MetricsServer {
 public:
  /// A client has so long for its question and as long for taking the answer: after that the next one's turn comes.
  static constexpr std::chrono::seconds kPatience{2};
  static constexpr std::size_t kRequestMax = 8192;

  /// Listens from here on; a Unix socket replaces one that nobody listens on any more, and is open to whom `access`
  /// names (a port has no owner: any program of this machine may ask). `text` is called from the server's thread.
  /// Throws Failure.
  MetricsServer(const MetricsAddress& address, const StatAccess& access, std::function<std::string()> text);
  ~MetricsServer();
  MetricsServer(const MetricsServer&) = delete;
  MetricsServer& operator=(const MetricsServer&) = delete;

 private:
  void serve();
  void answer(int client);

  const MetricsAddress address_;
  const std::function<std::string()> text_;
  UniqueFd listener_, end_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace fairfs::cli
