#include "cli/live/feed.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <exception>
#include <system_error>
#include <utility>

#include "cli/stat_explain.h"
#include "cli/stat_protocol.h"

namespace fairfs::cli {

LiveFeed::LiveFeed(std::vector<StatTarget> targets, Recorder* record)
    : targets_{std::move(targets)}, record_{record}, stop_{eventfd(0, EFD_CLOEXEC)} {
  if (!stop_) throw std::system_error{errno, std::generic_category(), "eventfd"};
  thread_ = quiet_thread([this] { serve(); });
}

LiveFeed::~LiveFeed() {
  {
    const std::lock_guard lock{mutex_};
    ended_ = true;
    changed_.notify_one();
  }
  eventfd_write(stop_.get(), 1);
  thread_.join();
}

void LiveFeed::watch(std::size_t mount, std::chrono::milliseconds interval) {
  const std::lock_guard lock{mutex_};
  mount_ = mount;
  interval_ = interval;
  due_ = Clock::now();
  changed_.notify_one();
}

void LiveFeed::rest() {
  const std::lock_guard lock{mutex_};
  due_ = Clock::time_point::max();
}

void LiveFeed::send(std::size_t mount, std::string line, std::string what) {
  const std::lock_guard lock{mutex_};
  questions_.push_back({mount, std::move(line), std::move(what), 0});
  changed_.notify_one();
}

void LiveFeed::explain(std::size_t mount, pid_t pid) {
  const std::lock_guard lock{mutex_};
  questions_.push_back({.mount = mount, .pid = pid});
  changed_.notify_one();
}

void LiveFeed::serve() {
  std::unique_lock lock{mutex_};
  while (!ended_) {
    if (!questions_.empty()) {
      const Question question = std::move(questions_.front());
      questions_.pop_front();
      lock.unlock();
      ask(question);
      lock.lock();
    } else if (const auto now = Clock::now(); due_ <= now) {
      const std::size_t mount = mount_;
      // From the time it was due: a reading each second stays on its beat, unless one was missed.
      due_ = std::max(due_ + interval_, now);
      lock.unlock();
      ask_reading(mount);
      lock.lock();
    } else if (due_ == Clock::time_point::max()) {
      changed_.wait(lock);
    } else {
      changed_.wait_until(lock, due_);
    }
  }
}

void LiveFeed::ask_reading(std::size_t mount) {
  std::string line;
  try {
    line = ask_line(targets_[mount], to_line(StatRequest::snapshot), stop_.get());
    news_.put({mount, parse_reply(line)});
  } catch (const std::exception& error) {
    news_.put({mount, LiveNews::Lost{error.what()}});
    return;
  }
  try {
    if (record_ != nullptr) record_->add(line);
  } catch (const Failure& failure) {
    record_ = nullptr;
    news_.put({mount, LiveNews::Answer{{}, failure.what(), true}});
  }
}

void LiveFeed::ask(const Question& question) {
  const StatTarget& target = targets_[question.mount];
  try {
    if (question.pid != 0) return news_.put({question.mount, LiveNews::Explanation{why(target, question.pid)}});
    std::string line = ask_line(target, question.line, stop_.get());
    const std::string error = error_in(line);
    const bool is_failure = !error.empty();
    news_.put({question.mount, LiveNews::Answer{question.what, is_failure ? error : std::move(line), is_failure}});
  } catch (const std::exception& error) {
    news_.put({question.mount, LiveNews::Answer{question.what, error.what(), true}});
  }
}

}  // namespace fairfs::cli
