#include "cli/live/replay_feed.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "cli/failure.h"

namespace fairfs::cli {

ReplayFeed::ReplayFeed(const std::string& path, std::optional<double> between_s) : path_{path}, between_s_{between_s} {
  Recording recording{path};
  while (const auto reply = recording.next()) {
    if (std::ranges::find(mountpoints_, reply->about.mountpoint) == mountpoints_.end()) {
      mountpoints_.push_back(reply->about.mountpoint);
    }
  }
  if (mountpoints_.empty()) throw failed("replay", path, "it is empty", "name a file that --record wrote");
  thread_ = quiet_thread([this] { serve(); });
}

ReplayFeed::~ReplayFeed() {
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    changed_.notify_one();
  }
  thread_.join();
}

void ReplayFeed::watch(std::size_t /*mount*/, std::chrono::milliseconds /*interval*/) {
  const std::lock_guard lock{mutex_};
  resting_ = false;
  changed_.notify_one();
}

void ReplayFeed::rest() {
  const std::lock_guard lock{mutex_};
  resting_ = true;
  changed_.notify_one();
}

bool ReplayFeed::wait(sched::Duration duration) {
  const auto due = std::chrono::steady_clock::now() + duration;
  std::unique_lock lock{mutex_};
  while (!ended_ && (resting_ || std::chrono::steady_clock::now() < due)) {
    if (resting_) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, due);
    }
  }
  return !ended_;
}

std::size_t ReplayFeed::place_of(const std::string& mountpoint) const {
  return static_cast<std::size_t>(std::ranges::find(mountpoints_, mountpoint) - mountpoints_.begin());
}

void ReplayFeed::serve() {
  sched::Time last{};
  try {
    Recording recording{path_};
    while (auto reply = recording.next()) {
      const sched::Time taken = reply->readings.back().taken;
      const auto given =
          std::chrono::duration_cast<sched::Duration>(std::chrono::duration<double>{between_s_.value_or(0)});
      sched::Duration pause = last == sched::Time{} ? sched::Duration{} : taken - last;
      if (between_s_ && pause.count() != 0) pause = given;
      if (!wait(std::max(pause, sched::Duration{}))) return;
      last = taken;
      const std::size_t mount = place_of(reply->about.mountpoint);
      news_.put({mount, std::move(*reply)});
    }
    news_.put({0, LiveNews::End{}});
  } catch (const std::exception& error) {
    news_.put({0, LiveNews::Answer{{}, error.what(), true}});
  }
}

}  // namespace fairfs::cli
