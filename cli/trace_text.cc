#include "cli/trace_text.h"

#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>

#include "cli/json_words.h"
#include "cli/json_writer.h"
#include "cli/text.h"
#include "cli/trace_filter.h"

namespace fairfs::cli {
namespace {

using engine::TracedRequest;
using engine::TraceReason;
using nlohmann::json;
using sched::Duration;

double to_us(Duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

/// "14:03:07.250", local time.
std::string clock_time(double wall_s) {
  const auto seconds = static_cast<std::time_t>(wall_s);
  const auto thousandths = static_cast<int>((wall_s - std::floor(wall_s)) * 1000);
  std::tm local{};
  localtime_r(&seconds, &local);
  std::array<char, 16> text{};
  std::strftime(text.data(), text.size(), "%H:%M:%S", &local);
  std::array<char, 24> result{};
  std::snprintf(result.data(), result.size(), "%s.%03d", text.data(), thousandths);
  return result.data();
}

std::string result_word(const TracedRequest& request) {
  if (request.result >= 0) return {};
  return std::string{" "} + std::generic_category().message(static_cast<int>(-request.result));
}

TracedRequest request_from(const json& value) {
  TracedRequest request;
  request.ended = sched::Time{Duration{value.at(0).get<Duration::rep>()}};
  value.at(1).get_to(request.flow);
  value.at(2).get_to(request.command);
  value.at(3).get_to(request.pid);
  const auto operation = value.at(4).get<unsigned>(), reason = value.at(5).get<unsigned>();
  if (operation > static_cast<unsigned>(sched::Operation::sync)) throw std::out_of_range{"operation"};
  if (reason > static_cast<unsigned>(TraceReason::unscheduled)) throw std::out_of_range{"reason"};
  request.operation = static_cast<sched::Operation>(operation);
  request.reason = static_cast<TraceReason>(reason);
  value.at(6).get_to(request.buffered);
  value.at(7).get_to(request.inode);
  value.at(8).get_to(request.offset);
  value.at(9).get_to(request.bytes);
  request.waited = Duration{value.at(10).get<Duration::rep>()};
  request.service = Duration{value.at(11).get<Duration::rep>()};
  value.at(12).get_to(request.result);
  return request;
}

}  // namespace

std::string to_line(const TraceReply& reply) {
  JsonWriter out;
  out.open('{').field("lost", reply.lost).key("requests").open('[');
  for (const TracedRequest& request : reply.requests) {
    // Lists without names: thousands of them in a line.
    out.open('[')
        .value(request.ended.time_since_epoch().count())
        .value(request.flow)
        .value(request.command)
        .value(request.pid)
        .value(static_cast<unsigned>(request.operation))
        .value(static_cast<unsigned>(request.reason))
        .value(request.buffered)
        .value(request.inode)
        .value(request.offset)
        .value(request.bytes)
        .value(request.waited.count())
        .value(request.service.count())
        .value(request.result)
        .close(']');
  }
  out.close(']').close('}');
  return out.take();
}

TraceReply parse_trace(std::string_view line) {
  return understand(line, [](const json& value) {
    TraceReply reply;
    value.at("lost").get_to(reply.lost);
    for (const json& request : value.at("requests")) reply.requests.push_back(request_from(request));
    return reply;
  });
}

std::string trace_heading() {
  return fit("TIME", 13) + fit("FLOW", 21) + fit("OP", 7) + right("INODE", 10) + right("OFFSET", 15) +
         right("BYTES", 9) + right("WAITED", 8) + right("DISK", 8) + "  WHY\n";
}

std::string to_trace_line(const TracedRequest& request, double wall_s) {
  return fit(clock_time(wall_s), 13) + fit(printable(request.flow), 20) + " " +
         fit(std::string{operation_word(request.operation)} + (request.buffered ? "*" : ""), 7) +
         right(std::to_string(request.inode), 10) + right(std::to_string(request.offset), 15) +
         right(std::to_string(request.bytes), 9) + right(human_time(to_us(request.waited)), 8) +
         right(human_time(to_us(request.service)), 8) + "  " + std::string{reason_word(request.reason)} +
         result_word(request) + "\n";
}

std::string to_trace_json(const TracedRequest& request, double wall_s) {
  JsonWriter out;
  out.open('{')
      .field("time", wall_s)
      .field("flow", request.flow)
      .field("command", request.command)
      .field("pid", request.pid)
      .field("op", operation_word(request.operation))
      .field("buffered", request.buffered)
      .field("inode", request.inode)
      .field("offset", request.offset)
      .field("bytes", request.bytes)
      .field("waited_us", to_us(request.waited))
      .field("service_us", to_us(request.service))
      .field("result", request.result)
      .field("why", reason_word(request.reason))
      .close('}');
  return out.take() + "\n";
}

}  // namespace fairfs::cli
