#include "cli/live/live.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <unordered_map>
#include <utility>

#include "cli/account.h"
#include "cli/live/columns.h"
#include "cli/live/draw.h"
#include "cli/live/keys.h"
#include "cli/live/terminal.h"

namespace fairfs::cli {
namespace {

/// A user's name, looked up once: the system's database may be far away.
class UserNames {
 public:
  std::string operator()(uid_t user) {
    const auto [found, is_new] = names_.try_emplace(user);
    if (is_new) found->second = user_name(user);
    return found->second;
  }

 private:
  std::unordered_map<uid_t, std::string> names_;
};

class Live {
 public:
  Live(std::unique_ptr<LiveSource> source, std::vector<std::string> mountpoints, double interval_s, bool replayed)
      : source_{std::move(source)} {
    for (std::string& mountpoint : mountpoints) state_.mounts.emplace_back().mountpoint = std::move(mountpoint);
    state_.interval_s = interval_s;
    state_.replayed = replayed;
    state_.choice.sort_by = column_place("GOT");
    state_.choice.user_name = [names = UserNames{}](uid_t user) mutable { return names(user); };
  }

  void run() {
    watch();
    show();
    while (!ended_) {
      std::array<pollfd, 2> waiting{pollfd{STDIN_FILENO, POLLIN, 0}, pollfd{source_->descriptor(), POLLIN, 0}};
      poll(waiting.data(), waiting.size(), -1);  // a signal, such as a new size, ends it too
      while (const auto key = terminal_.key()) obey(press(state_, *key, rows_on(state_, terminal_.size())));
      ended_ |= terminal_.is_gone();
      for (LiveNews& news : source_->take()) hear(std::move(news));
      show();
    }
  }

 private:
  void show() {
    scroll(state_, terminal_.size());
    terminal_.show(draw(state_, terminal_.size(), terminal_.glyphs()));
  }

  void watch() { source_->watch(state_.current, std::chrono::milliseconds{std::llround(state_.interval_s * 1000)}); }

  void obey(LiveWish wish) {
    switch (wish.kind) {
      case LiveWish::Kind::none:
        break;
      case LiveWish::Kind::quit:
        ended_ = true;
        break;
      case LiveWish::Kind::look:
        break;
      case LiveWish::Kind::tell:
        source_->send(state_.current, std::move(wish.line), std::move(wish.what));
        break;
      case LiveWish::Kind::list:
        source_->send(state_.current, std::string{kOverridesLine}, {});
        break;
      case LiveWish::Kind::explain:
        source_->explain(state_.current, wish.pid);
        break;
    }
    if (wish.kind == LiveWish::Kind::look) watch();
    if (state_.paused) source_->rest();
  }

  void hear(LiveNews news) {
    if (auto* const reply = std::get_if<StatReply>(&news.what)) {
      if (!state_.paused) take(state_, news.mount, std::move(*reply));
    } else if (auto* const lost = std::get_if<LiveNews::Lost>(&news.what)) {
      lose(state_, news.mount, std::move(lost->why));
    } else if (auto* const why = std::get_if<LiveNews::Explanation>(&news.what)) {
      show_explanation(state_, std::move(why->sentences));
    } else if (std::holds_alternative<LiveNews::End>(news.what)) {
      state_.message = "the recording has ended";
    } else {
      const auto& answer = std::get<LiveNews::Answer>(news.what);
      cli::hear(state_, answer.what, answer.line, answer.is_failure);
    }
  }

  LiveState state_;
  const std::unique_ptr<LiveSource> source_;
  LiveTerminal terminal_;
  bool ended_ = false;
};

}  // namespace

void run_live(std::unique_ptr<LiveSource> source, std::vector<std::string> mountpoints, double interval_s,
              bool replayed) {
  Live{std::move(source), std::move(mountpoints), interval_s, replayed}.run();
}

}  // namespace fairfs::cli
