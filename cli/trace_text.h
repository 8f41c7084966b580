// Traced requests on their way through the control socket, and for people and programs.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sched/engine/trace.h"

namespace fairfs::cli {

inline constexpr std::string_view kTraceLine = R"({"trace":true})", kTraceMoreLine = R"({"trace":"more"})";

struct TraceReply {
  std::vector<engine::TracedRequest> requests;
  std::uint64_t lost = 0;  ///< so far, because nobody fetched them in time
};

[[nodiscard]] std::string to_line(const TraceReply& reply);
/// Throws std::runtime_error as the parsers of stat_protocol.h do.
[[nodiscard]] TraceReply parse_trace(std::string_view line);

/// "TIME  FLOW ...", and a line below it; both end in a line feed. `wall_s`: when it ended, in seconds since 1970.
[[nodiscard]] std::string trace_heading();
[[nodiscard]] std::string to_trace_line(const engine::TracedRequest& request, double wall_s);
/// One JSON object, with its line feed.
[[nodiscard]] std::string to_trace_json(const engine::TracedRequest& request, double wall_s);

}  // namespace fairfs::cli
