// Readings of running mounts, for the live view.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "cli/live/news_box.h"
#include "cli/recording.h"
#include "cli/stat_client.h"

namespace fairfs::cli {

class LiveFeed final : public LiveSource {
 public:
  /// `record`, if there is one, gets every reading.
  explicit LiveFeed(std::vector<StatTarget> targets, Recorder* record = nullptr);
  ~LiveFeed() override;

  void watch(std::size_t mount, std::chrono::milliseconds interval) override;
  void rest() override;
  void send(std::size_t mount, std::string line, std::string what) override;
  void explain(std::size_t mount, pid_t pid) override;
  [[nodiscard]] int descriptor() const override { return news_.descriptor(); }
  [[nodiscard]] std::vector<LiveNews> take() override { return news_.take(); }

 private:
  struct Question {
    std::size_t mount = 0;
    std::string line{}, what{};
    pid_t pid = 0;  ///< to be explained, instead of a line
  };
  using Clock = std::chrono::steady_clock;
  void serve();
  void ask_reading(std::size_t mount);
  void ask(const Question& question);

  const std::vector<StatTarget> targets_;
  Recorder* record_;  // the thread's own
  NewsBox news_;
  UniqueFd stop_;
  std::mutex mutex_;  // guards down to `ended_`
  std::condition_variable changed_;
  std::size_t mount_ = 0;
  std::chrono::milliseconds interval_{0};
  Clock::time_point due_ = Clock::time_point::max();
  std::deque<Question> questions_;
  bool ended_ = false;
  std::thread thread_;  // last
};

}  // namespace fairfs::cli
