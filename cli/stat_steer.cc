#include "cli/stat_steer.h"

#include <chrono>
#include <ostream>
#include <thread>

#include "cli/text.h"

namespace fairfs::cli {
namespace {

/// A file is read in milliseconds, unless it lies on a disk that is asleep.
constexpr std::chrono::milliseconds kReloadRetry{20};
constexpr std::chrono::seconds kReloadPatience{10};

void write(std::ostream& out, const std::vector<RuleWords>& overrides) {
  if (overrides.empty()) out << "nothing is set: the weights file alone counts\n";
  for (const RuleWords& words : overrides) {
    RuleWords what = words;
    const RuleWords whom = whom_of(words);
    for (const auto& [key, value] : whom) what.erase(key);
    out << printable(to_text(whom)) << "  " << printable(to_text(what)) << "\n";
  }
}

void reload(const StatTarget& target, std::ostream& out) {
  const std::uint64_t wanted = ask(target, kReloadLine, &parse_reload).reloads;
  const auto give_up = std::chrono::steady_clock::now() + kReloadPatience;
  for (;;) {
    const ReloadState state = ask(target, kReloadStateLine, &parse_reload);
    if (state.reloads >= wanted) {
      if (!state.error.empty()) throw refused(target, state.error + "; the old rules stay in force");
      out << "reloaded\n";
      return;
    }
    if (std::chrono::steady_clock::now() > give_up) {
      throw failed("reload", target.mountpoint, "the weights file can't be read yet", "look into the daemon's log");
    }
    std::this_thread::sleep_for(kReloadRetry);
  }
}

}  // namespace

void steer(const StatTarget& target, const StatOptions& options, std::ostream& out) {
  using Action = StatOptions::Action;
  switch (options.action) {
    case Action::set:
      return write(out, ask(target, set_line(options.words), &parse_overrides));
    case Action::unset:
      return write(out, ask(target, unset_line(options.words.empty() ? nullptr : &options.words), &parse_overrides));
    case Action::overrides:
      return write(out, ask(target, kOverridesLine, &parse_overrides));
    case Action::reload:
      return reload(target, out);
    default:
      break;
  }
}

}  // namespace fairfs::cli
