// What the daemon and fairfs-stat say to each other: a line of JSON there, a line of JSON back.
//
//   {"get":"snapshot"}   ->  {"version":..,"mountpoint":..,"source":..,..,"state":{..},"readings":[SNAPSHOT]}
//   {"get":"second"}     ->  the same with the two readings at the ends of the last full second, equal if there was
//   none
//   {"get":"overrides"}  ->  {"overrides":[RULE,...]}: what was changed while running, the newest first
//   {"get":"reload"}     ->  {"reloads":N,"error":".."}: how often the weights file was reloaded, and what was wrong
//   with
//                            it the last time
//   {"explain":PID}      ->  why it weighs what it weighs: explanation_text.h
//   anything else        ->  {"error":"what is wrong"}
//
// The daemon's user and root alone may change or trace something:
//   {"set":RULE}         ->  {"overrides":[..]}; RULE has the keys of a rule in the weights file, as one object
//   {"unset":RULE}       ->  the same; RULE with the keys alone that say whom it is for; "all" ends every change
//   {"reload":true}      ->  {"reloads":N}: the file is being read; done once {"get":"reload"} says N
//   {"hold":true}        ->  {"held":true}; nothing is started until {"hold":false} or the connection ends: for tests
//   {"trace":true}       ->  {"tracing":true}; from here on requests that end are kept for this connection
//   {"trace":"more"}     ->  {"lost":N,"requests":[[..],..]}: trace_text.h
//
// Times are nanoseconds, counters cumulative, histograms sparse: [[bucket, count], ...].
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/rule_words.h"
#include "sched/engine/snapshot.h"

namespace fairfs::cli {

enum class StatRequest : std::uint8_t { snapshot, second };

/// What doesn't change while a mount lives.
struct StatAbout {
  std::string version, mountpoint, source;
  std::uint64_t instance = 0;  ///< of this daemon and no other on this mountpoint: counters and keys are its own
  bool scheduling = true;      ///< false: sched=off
  std::string profile;         ///< what the disk can do, in words
  std::string weights;         ///< the weights file, empty for none
};

/// What changes, and is no flow's.
struct StatState {
  std::int64_t wall_s = 0;                               ///< when it was: seconds since 1970
  std::string disk, elevator;                            ///< "sda", "bfq"; empty where not known
  double disk_bytes_per_s = 0, foreign_bytes_per_s = 0;  ///< of the whole disk; of these, not ours: an estimate
  std::vector<std::string> alerts;                       ///< in words, standing now
  double processor_use = 0;                              ///< of the machine, 0..1; 0 where not known
  bool processor_bound = false;                          ///< processor_verdict.h
  std::uint64_t held_bytes = 0;                          ///< memory of writes that wait with their payload
};

struct StatReply {
  StatAbout about;
  StatState state;
  std::vector<engine::Snapshot> readings;  ///< one, or two for StatRequest::second
};

struct ReloadState {
  std::uint64_t reloads = 0;  ///< asked for and done
  std::string error;          ///< of the last; empty: the file is in force
};

// All without the line feed.
[[nodiscard]] std::string to_line(StatRequest request);
[[nodiscard]] std::string set_line(const RuleWords& words);
/// Nothing: all.
[[nodiscard]] std::string unset_line(const RuleWords* whom);
inline constexpr std::string_view kOverridesLine = R"({"get":"overrides"})", kReloadStateLine = R"({"get":"reload"})",
                                  kReloadLine = R"({"reload":true})";

[[nodiscard]] std::string to_line(const StatAbout& about, const StatState& state,
                                  std::span<const engine::Snapshot* const> readings);
[[nodiscard]] std::string to_line(const std::vector<RuleWords>& overrides);

/// What is wrong, if the reply says nothing but that; empty otherwise.
[[nodiscard]] std::string error_in(std::string_view line);
// Each throws std::runtime_error for a line that is no such reply, or one with an error in it.
[[nodiscard]] StatReply parse_reply(std::string_view line);
[[nodiscard]] std::vector<RuleWords> parse_overrides(std::string_view line);
[[nodiscard]] ReloadState parse_reload(std::string_view line);

}  // namespace fairfs::cli
