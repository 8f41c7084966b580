// What the daemon and fairfs-stat say to each other: a line of JSON there, a line of JSON back.
//
//   {"get":"snapshot"}  ->  {"version":..,"mountpoint":..,"source":..,"scheduling":true,"readings":[SNAPSHOT]}
//   {"get":"second"}    ->  the same with the two readings at the ends of the last full second, equal if there was none
//   {"hold":true}       ->  {"held":true}; nothing is started until {"hold":false} or the connection ends: for tests
//   anything else       ->  {"error":"what is wrong"}
//
// Times are nanoseconds, counters cumulative, histograms sparse: [[bucket, count], ...].
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sched/engine/snapshot.h"

namespace fairfs::cli {

enum class StatRequest : std::uint8_t { snapshot, second };

struct StatReply {
  std::string version, mountpoint, source;
  bool scheduling = true;                  ///< false: sched=off
  std::vector<engine::Snapshot> readings;  ///< one, or two for StatRequest::second
};

/// Where the answers come from; called from the server's thread.
struct StatSource {
  StatReply about;  ///< without readings
  std::function<engine::Snapshot()> snapshot;
  std::function<std::pair<engine::Snapshot, engine::Snapshot>()> last_second;
  std::function<std::shared_ptr<void>()> hold;  ///< lets go when the last of what it returned is destroyed
};

/// Both without the line feed.
[[nodiscard]] std::string to_line(StatRequest request);
[[nodiscard]] std::string to_line(const StatReply& reply);
/// Throws std::runtime_error for a line that is no reply, or one with an error in it.
[[nodiscard]] StatReply parse_reply(std::string_view line);

/// The daemon's side: never throws for what the other side wrote. `kept` lives as long as the connection.
[[nodiscard]] std::string answer(std::string_view request, const StatSource& source, std::shared_ptr<void>& kept);

}  // namespace fairfs::cli
