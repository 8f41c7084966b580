#include "cli/stat_commands.h"

#include <array>

#include "cli/failure.h"
#include "cli/json_words.h"
#include "cli/json_writer.h"

namespace fairfs::cli {
namespace {

using nlohmann::json;

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
  return error_line(R"(ask {"get":"snapshot"}, "second", "overrides" or "reload", or change by "set", "unset", )"
                    R"("reload" or "hold")");
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
  if (what != "set" && what != "unset" && what != "reload" && what != "hold") return unknown();
  if (!peer.may_change) return error_line("only root and the user that mounted it may change anything");
  try {
    if (what == "hold") {
      if (const bool wanted = argument.get<bool>(); wanted != (kept != nullptr)) {
        kept = wanted ? source_.hold() : nullptr;
      }
      return kept != nullptr ? R"({"held":true})" : R"({"held":false})";
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
  } catch (const Failure& failure) {
    return error_line(failure.what());
  } catch (const json::exception&) {
    return unknown();
  }
}

}  // namespace fairfs::cli
