#include "cli/weights_watch.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <climits>
#include <cstdint>
#include <string_view>
#include <system_error>
#include <utility>

#include "cli/failure.h"
#include "cli/stubborn_thread.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

/// Long enough for an editor to write all of a file, short enough to keep the promise of one second.
constexpr milliseconds kQuiet{100}, kDelayMax{500};
static_assert(kDelayMax + kQuiet < std::chrono::seconds{1});

/// Values of the wake-up counter: a reload adds one, the end adds so many that no number of reloads gets there.
constexpr eventfd_t kReload = 1, kEnd = eventfd_t{1} << 62;

}  // namespace

WeightsWatch::WeightsWatch(WeightsFile file, std::string text, std::function<void(engine::WeightRules)> apply,
                           std::function<void(const std::string&)> complain)
    : file_{std::move(file)}, text_{std::move(text)}, apply_{std::move(apply)}, complain_{std::move(complain)} {
  events_ = UniqueFd{inotify_init1(IN_CLOEXEC | IN_NONBLOCK)};
  wake_ = UniqueFd{eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  // Through the descriptor, which means the directory below the mount whatever covers its path by now.
  const std::string directory = "/proc/self/fd/" + std::to_string(file_.directory());
  constexpr std::uint32_t kChanges = IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_MOVED_FROM;
  if (!events_ || !wake_ || inotify_add_watch(events_.get(), directory.c_str(), kChanges) < 0) {
    throw std::system_error{errno, std::generic_category(), "weights: " + file_.path() + ": watch its directory"};
  }
  thread_ = stubborn_thread([this] { serve(); });
}

WeightsWatch::~WeightsWatch() {
  eventfd_write(wake_.get(), kEnd);
  thread_.join();
}

std::uint64_t WeightsWatch::reload() {
  const std::lock_guard lock{mutex_};
  eventfd_write(wake_.get(), kReload);
  return ++asked_;
}

ReloadState WeightsWatch::last_reload() const {
  const std::lock_guard lock{mutex_};
  return done_;
}

void WeightsWatch::reload_asked() {
  std::uint64_t asked = 0;
  {
    const std::lock_guard lock{mutex_};
    asked = asked_;
  }
  std::string error = read_again(true);
  const std::lock_guard lock{mutex_};
  done_ = {asked, std::move(error)};
}

bool WeightsWatch::concerns_file() {
  alignas(inotify_event) std::array<char, 16 * (sizeof(inotify_event) + NAME_MAX + 1)> buffer;
  bool ours = false;
  ssize_t count = 0;
  while ((count = ::read(events_.get(), buffer.data(), buffer.size())) > 0) {
    for (const char* at = buffer.data(); at < buffer.data() + count;) {
      const auto* const event = reinterpret_cast<const inotify_event*>(at);
      const bool lost = (event->mask & IN_Q_OVERFLOW) != 0;  // some were dropped: ours may be among them
      ours |= lost || (event->len > 0 && file_.name() == static_cast<const char*>(event->name));
      at += sizeof(inotify_event) + event->len;
    }
  }
  return ours;
}

void WeightsWatch::serve() {
  std::array<pollfd, 2> waiting{pollfd{events_.get(), POLLIN, 0}, pollfd{wake_.get(), POLLIN, 0}};
  Clock::time_point first{}, due = Clock::time_point::max();
  for (;;) {
    int timeout_ms = -1;
    if (due != Clock::time_point::max()) {
      const auto left = std::chrono::ceil<milliseconds>(due - Clock::now()).count();
      timeout_ms = static_cast<int>(std::max<decltype(left)>(left, 0));
    }
    poll(waiting.data(), waiting.size(), timeout_ms);
    eventfd_t woken = 0;
    if (eventfd_read(wake_.get(), &woken) == 0) {
      if (woken >= kEnd) return;
      reload_asked();
    }
    const auto now = Clock::now();
    if (concerns_file()) {
      if (due == Clock::time_point::max()) first = now;
      due = std::min(now + kQuiet, first + kDelayMax);
    }
    if (now >= due) {
      due = Clock::time_point::max();
      read_again(false);
    }
  }
}

std::string WeightsWatch::read_again(bool forced) {
  std::string error = read_anew(forced);
  complain_(error);
  return error;
}

std::string WeightsWatch::read_anew(bool forced) {
  try {
    std::string text = file_.read();
    if (!forced && text == text_) {
      if (std::exchange(complained_, false)) spdlog::info("weights: {}: as before, and in force", file_.path());
      return {};
    }
    engine::WeightRules rules = parse_weights(text, file_.path());
    const auto count = rules.rules.size();
    apply_(std::move(rules));
    text_ = std::move(text);
    complained_ = false;
    spdlog::info("weights: {}: reloaded, {} rules", file_.path(), count);
    return {};
  } catch (const std::exception& error) {
    std::string_view line = error.what();
    complained_ = true;
    spdlog::error("{}{}; the old rules stay in force", line.starts_with("weights: ") ? "" : "weights: ", line);
    return error.what();
  }
}

}  // namespace fairfs::cli
