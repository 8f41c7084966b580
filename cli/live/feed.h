// Where the live view's readings come from.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "cli/stat_client.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {

/// Something came in from a mount's daemon.
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
  std::variant<StatReply, Lost, Answer> what;
};

/// Asks in a thread of its own, so that a daemon that is slow or stuck never stops the keyboard. All public functions
/// from one thread.
class LiveFeed {
 public:
  explicit LiveFeed(std::vector<StatTarget> targets);
  ~LiveFeed();
  LiveFeed(const LiveFeed&) = delete;
  LiveFeed& operator=(const LiveFeed&) = delete;

  /// From now on this mount is asked for a reading, at once and then every `interval`.
  void watch(std::size_t mount, std::chrono::milliseconds interval);
  /// Asks nobody until `watch`.
  void rest();
  /// Sends a line; its answer comes as news.
  void send(std::size_t mount, std::string line, std::string what);

  /// Readable when there is news.
  [[nodiscard]] int descriptor() const { return ready_.get(); }
  [[nodiscard]] std::vector<LiveNews> take();

 private:
  struct Question {
    std::size_t mount;
    std::string line, what;
  };
  using Clock = std::chrono::steady_clock;
  void serve();
  void ask_reading(std::size_t mount);
  void ask(const Question& question);
  void tell(LiveNews news);

  const std::vector<StatTarget> targets_;
  UniqueFd ready_, stop_;
  std::mutex mutex_;  // guards down to `ended_`
  std::condition_variable changed_;
  std::size_t mount_ = 0;
  std::chrono::milliseconds interval_{0};
  Clock::time_point due_ = Clock::time_point::max();
  std::deque<Question> questions_;
  std::vector<LiveNews> news_;
  bool ended_ = false;
  std::thread thread_;  // last
};

}  // namespace fairfs::cli
