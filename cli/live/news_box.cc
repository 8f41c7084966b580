#include "cli/live/news_box.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

namespace fairfs::cli {

NewsBox::NewsBox() : ready_{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)} {
  if (!ready_) throw std::system_error{errno, std::generic_category(), "eventfd"};
}

void NewsBox::put(LiveNews news) {
  {
    const std::lock_guard lock{mutex_};
    news_.push_back(std::move(news));
  }
  eventfd_write(ready_.get(), 1);
}

std::vector<LiveNews> NewsBox::take() {
  eventfd_t count = 0;
  eventfd_read(ready_.get(), &count);
  const std::lock_guard lock{mutex_};
  return std::exchange(news_, {});
}

std::thread quiet_thread(std::function<void()> body) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread result{std::move(body)};
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return result;
}

}  // namespace fairfs::cli
