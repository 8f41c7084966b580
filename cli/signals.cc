#include "cli/signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <system_error>
#include <utility>

#include "cli/stubborn_thread.h"

namespace fairfs::cli {
namespace {

sigset_t handled() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGTERM, SIGINT, SIGHUP}) sigaddset(&set, number);
  return set;
}

}  // namespace

void block_signals() {
  const sigset_t set = handled();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  for (const int number : {SIGTERM, SIGINT, SIGHUP})
    std::signal(number, SIG_DFL);  // an ignored one may never be pending
  // The latter three mean nothing here, and would end it with the mount left dead: dd, for one, takes SIGUSR1.
  for (const int number : {SIGPIPE, SIGXFSZ, SIGUSR1, SIGUSR2, SIGALRM}) std::signal(number, SIG_IGN);
}

Signals::Signals(SignalActions actions) : actions_{std::move(actions)} {
  const sigset_t set = handled();
  signals_ = UniqueFd{signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK)};
  end_ = UniqueFd{eventfd(0, EFD_CLOEXEC)};
  if (!signals_ || !end_) throw std::system_error{errno, std::generic_category(), "signalfd"};
  thread_ = stubborn_thread([this] { serve(); });
}

Signals::~Signals() {
  eventfd_write(end_.get(), 1);
  thread_.join();
}

void Signals::serve() {
  bool stopping = false;
  std::array<pollfd, 2> waiting{pollfd{signals_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
  while (waiting[1].revents == 0) {
    signalfd_siginfo signal{};
    if (read(signals_.get(), &signal, sizeof signal) != sizeof signal) {
      poll(waiting.data(), waiting.size(), -1);
    } else if (signal.ssi_signo == SIGHUP) {
      actions_.reload();
    } else {
      std::exchange(stopping, true) ? actions_.quit() : actions_.stop();
    }
  }
}

}  // namespace fairfs::cli
