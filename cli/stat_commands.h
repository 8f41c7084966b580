// The daemon's answers on its control socket.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/stat_protocol.h"
#include "cli/stat_server.h"
#include "cli/trace_text.h"
#include "sched/engine/explanation.h"

namespace fairfs::cli {

/// Where the answers come from; called from the server's thread. Those that change something throw Failure when they
/// can't.
struct StatSource {
  StatAbout about;
  std::function<StatState()> state;
  std::function<engine::Snapshot()> snapshot;
  std::function<std::pair<engine::SharedSnapshot, engine::SharedSnapshot>()> last_second;
  std::function<std::vector<RuleWords>()> overrides;
  std::function<void(const RuleWords&)> set;
  std::function<void(const RuleWords*)> unset;  ///< null: all
  std::function<std::uint64_t()> reload;        ///< begins it, answers ReloadState::reloads once it is done
  std::function<ReloadState()> last_reload;
  std::function<engine::Explanation(pid_t)> explain;
  std::function<std::shared_ptr<engine::TraceBuffer>()> trace;
  /// Up to so many, and how many were lost.
  std::function<TraceReply(engine::TraceBuffer&, std::size_t most)> traced;
  std::function<std::shared_ptr<void>()> hold;  ///< lets go when the last of what it returned is destroyed
};

/// Never throws for what the other side wrote.
class StatCommands {
 public:
  /// How old a reading may be that somebody gets who may only look: asking again and again costs the daemon nothing.
  static constexpr std::chrono::milliseconds kKept{100};

  explicit StatCommands(StatSource source) : source_{std::move(source)} {}

  /// One line for one line; `kept` lives as long as the connection. From one thread.
  [[nodiscard]] std::string answer(std::string_view request, const StatPeer& peer, Keepsake& kept);

  /// Requests that one answer brings: a few hundred kilobytes.
  static constexpr std::size_t kTracedMost = 2000;

 private:
  [[nodiscard]] std::string change(const std::string& what, const nlohmann::json& argument, Keepsake& kept);
  [[nodiscard]] std::string trace(const nlohmann::json& argument, Keepsake& kept);
  [[nodiscard]] std::string snapshot(const StatPeer& peer);

  const StatSource source_;
  std::string kept_snapshot_;
  std::chrono::steady_clock::time_point kept_since_{};
};

}  // namespace fairfs::cli
