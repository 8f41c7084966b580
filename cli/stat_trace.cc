#include "cli/stat_trace.h"

#include <chrono>
#include <iostream>
#include <thread>

#include "cli/output.h"
#include "cli/trace_text.h"

namespace fairfs::cli {
namespace {

/// Often enough to look alive; a fast disk's requests of so long fit the daemon's buffer twenty times.
constexpr std::chrono::milliseconds kBetween{50};

double now_s(auto clock_now) { return std::chrono::duration<double>(clock_now.time_since_epoch()).count(); }

}  // namespace

void follow_requests(const StatTarget& target, const StatOptions& options, std::ostream& out) {
  const bool as_json = options.format == StatOptions::Format::json;
  const auto understood = [&target](const std::string& line) {
    try {
      return parse_trace(line);
    } catch (const std::runtime_error& error) {
      throw refused(target, error.what());
    }
  };
  StatConnection daemon{target};
  if (const std::string error = error_in(daemon.ask(kTraceLine)); !error.empty()) throw refused(target, error);
  if (!as_json) out << trace_heading();
  std::uint64_t shown = 0, lost = 0;
  for (;;) {
    const TraceReply reply = understood(daemon.ask(kTraceMoreLine));
    // Both clocks at the same moment: the daemon's is the machine's monotonic one.
    const double offset_s = now_s(std::chrono::system_clock::now()) - now_s(std::chrono::steady_clock::now());
    for (const auto& request : reply.requests) {
      if (!options.filter.lets_through(request)) continue;
      const double wall_s = std::chrono::duration<double>(request.ended.time_since_epoch()).count() + offset_s;
      out << (as_json ? to_trace_json(request, wall_s) : to_trace_line(request, wall_s));
      if (options.count && ++shown == *options.count) break;
    }
    flush(out);
    if (reply.lost != lost) {
      std::cerr << "fairfs-stat: " << reply.lost - lost << " requests went by unseen: they came too fast\n";
      lost = reply.lost;
    }
    if (options.count && shown >= *options.count) return;
    if (reply.requests.empty()) std::this_thread::sleep_for(kBetween);
  }
}

}  // namespace fairfs::cli
