#include "cli/live/feed.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <csignal>
#include <exception>
#include <functional>
#include <system_error>
#include <utility>

#include "cli/stat_protocol.h"

namespace fairfs::cli {
namespace {

/// A thread that no signal interrupts: they are for the one that draws.
std::thread quiet_thread(std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread result{std::move(body)};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

}  // namespace

LiveFeed::LiveFeed(std::vector<StatTarget> targets)
    : targets_{std::move(targets)}, ready_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)}, stop_{eventfd(0, EFD_CLOEXEC)} {
  if (!ready_ || !stop_) throw std::system_error{errno, std::generic_category(), "eventfd"};
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
  questions_.push_back({mount, std::move(line), std::move(what)});
  changed_.notify_one();
}

std::vector<LiveNews> LiveFeed::take() {
  eventfd_t count = 0;
  eventfd_read(ready_.get(), &count);
  const std::lock_guard lock{mutex_};
  return std::exchange(news_, {});
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
  try {
    tell({mount, parse_reply(ask_line(targets_[mount], to_line(StatRequest::snapshot), stop_.get()))});
  } catch (const std::exception& error) {
    tell({mount, LiveNews::Lost{error.what()}});
  }
}

void LiveFeed::ask(const Question& question) {
  LiveNews::Answer answer{question.what, {}, false};
  try {
    answer.line = ask_line(targets_[question.mount], question.line, stop_.get());
    if (const std::string error = error_in(answer.line); !error.empty()) {
      answer.line = error;
      answer.is_failure = true;
    }
  } catch (const std::exception& error) {
    answer.line = error.what();
    answer.is_failure = true;
  }
  tell({question.mount, std::move(answer)});
}

void LiveFeed::tell(LiveNews news) {
  {
    const std::lock_guard lock{mutex_};
    news_.push_back(std::move(news));
  }
  eventfd_write(ready_.get(), 1);
}

}  // namespace fairfs::cli
