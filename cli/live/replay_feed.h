// Readings of a recording, for the live view.
#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "cli/live/news_box.h"
#include "cli/recording.h"

namespace fairfs::cli {

class ReplayFeed final : public LiveSource {
 public:
  /// `between_s`: seconds between two readings; nothing: as many as there were. Throws Failure.
  ReplayFeed(const std::string& path, std::optional<double> between_s);
  ~ReplayFeed() override;

  /// In the order in which they come; their places are those of LiveNews::mount.
  [[nodiscard]] const std::vector<std::string>& mountpoints() const { return mountpoints_; }

  /// All mounts' readings come, at the recording's pace.
  void watch(std::size_t mount, std::chrono::milliseconds interval) override;
  void rest() override;
  /// Nobody is there to be asked.
  void send(std::size_t /*mount*/, std::string /*line*/, std::string /*what*/) override {}
  void explain(std::size_t /*mount*/, pid_t /*pid*/) override {}
  [[nodiscard]] int descriptor() const override { return news_.descriptor(); }
  [[nodiscard]] std::vector<LiveNews> take() override { return news_.take(); }

 private:
  void serve();
  /// Waits as long as it was between the two, pauses aside; false at the end.
  bool wait(sched::Duration duration);
  [[nodiscard]] std::size_t place_of(const std::string& mountpoint) const;

  const std::string path_;
  const std::optional<double> between_s_;
  std::vector<std::string> mountpoints_;
  NewsBox news_;
  std::mutex mutex_;  // guards the next three
  std::condition_variable changed_;
  bool resting_ = true, ended_ = false;
  std::thread thread_;  // last
};

}  // namespace fairfs::cli
