#include "cli/stat_commands.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "cli/explanation_text.h"
#include "cli/failure.h"
#include "cli/json_words.h"
#include "cli/json_writer.h"

namespace fairfs::cli {
namespace {

using nlohmann::json;

/// The kernel's PID_MAX_LIMIT.
constexpr pid_t kPidMost = 1 << 22;

std::string error_line(std::string_view what) {
  JsonWriter out;
  out.open('{').field("error", what).close('}');
  return out.take();
}

std::string reload_line(const ReloadState& state) {
  JsonWriter out;
  out.open('{').field("reloads", state.reloads).field("error", state.error).close('}');
  return out.take();
}

std::string unknown() {
  return error_line(R"(ask {"get":"snapshot"}, "second", "overrides" or "reload", {"explain":PID}, {"trace":true}, or )"
                    R"(change by "set", "unset", "reload" or "hold")");
}

}  // namespace

std::string StatCommands::snapshot(const StatPeer& peer) {
  const auto now = std::chrono::steady_clock::now();
  if (!peer.may_change && !kept_snapshot_.empty() && now - kept_since_ < kKept) return kept_snapshot_;
  const engine::Snapshot taken = source_.snapshot();
  std::string line = to_line(source_.about, source_.state(), std::array{&taken});
  if (!peer.may_change) {
    kept_snapshot_ = line;
    kept_since_ = now;
  }
  return line;
}

std::string StatCommands::trace(const json& argument, Keepsake& kept) {
  if (argument == true) {
    if (!kept.trace) kept.trace = source_.trace();
    return R"({"tracing":true})";
  }
  if (argument == false) {
    kept.trace.reset();
    return R"({"tracing":false})";
  }
  if (argument != "more") return unknown();
  if (!kept.trace) return error_line(R"(nothing is traced: ask {"trace":true} first)");
  return to_line(source_.traced(*kept.trace, kTracedMost));
}

std::string StatCommands::change(const std::string& what, const json& argument, Keepsake& kept) {
  if (what == "trace") return trace(argument, kept);
  if (what == "hold") {
    if (const bool wanted = argument.get<bool>(); wanted != (kept.hold != nullptr)) {
      kept.hold = wanted ? source_.hold() : nullptr;
    }
    return kept.hold != nullptr ? R"({"held":true})" : R"({"held":false})";
  }
  if (what == "reload") return reload_line({source_.reload(), {}});
  if (what == "set") {
    source_.set(rule_words(argument));
  } else if (argument == "all") {
    source_.unset(nullptr);
  } else {
    const RuleWords whom = rule_words(argument);
    source_.unset(&whom);
  }
  return to_line(source_.overrides());
}

std::string StatCommands::answer(std::string_view request, const StatPeer& peer, Keepsake& kept) {
  const json value = json::parse(request, nullptr, false);
  if (!value.is_object() || value.size() != 1) return unknown();
  const std::string& what = value.begin().key();
  const json& argument = value.begin().value();
  if (what == "get") {
    if (argument == "snapshot") return snapshot(peer);
    if (argument == "second") {
      const auto [before, after] = source_.last_second();
      return to_line(source_.about, source_.state(), std::array{before.get(), after.get()});
    }
    if (argument == "overrides") return to_line(source_.overrides());
    if (argument == "reload") return reload_line(source_.last_reload());
    return unknown();
  }
  if (what == "explain") {
    if (!argument.is_number_unsigned() || argument > kPidMost || argument == 0) return unknown();
    return to_line(source_.explain(argument.get<pid_t>()));
  }
  static constexpr std::array<std::string_view, 5> kChanges{"set", "unset", "reload", "hold", "trace"};
  if (std::ranges::find(kChanges, what) == kChanges.end()) return unknown();
  if (!peer.may_change) return error_line("only root and the user that mounted it may change or trace anything");
  try {
    return change(what, argument, kept);
  } catch (const Failure& failure) {
    return error_line(failure.what());
  } catch (const json::exception&) {
    return unknown();
  }
}

}  // namespace fairfs::cli
