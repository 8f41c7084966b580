#include "cli/profile_text.h"

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "cli/profile_file.h"
#include "cli/text.h"
#include "sched/cost.h"

namespace fairfs::cli {
namespace {

double to_us(sched::Duration duration) { return std::chrono::duration<double, std::micro>(duration).count(); }

std::string number(double value) {
  std::ostringstream text;
  text.precision(15);
  text << std::round(value * 1000) / 1000;
  std::string result = text.str();
  if (result.find_first_of(".e") == result.npos) result += ".0";
  return result;
}

/// As a string of TOML.
std::string toml_string(std::string_view text) {
  std::string result = "\"";
  for (const char c : printable(text)) {
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  return result + '"';
}

void write_coefficients(std::ostream& out, std::string_view name, const sched::CostCoefficients& kind) {
  out << "[" << name << "]\n"
      << "base_sequential_us = " << number(to_us(kind.base_sequential)) << "\n"
      << "base_random_us = " << number(to_us(kind.base_random)) << "\n"
      << "bytes_per_s = " << kind.bytes_per_s << "\n"
      << "least_us = " << number(to_us(kind.least)) << "\n"
      << "random_bytes_per_s = " << kind.random_bytes_per_s << "\n";
}

std::string measured(const sched::DiskProfile::Measured& parts) {
  std::string list;
  const auto add = [&list](bool is, std::string_view name) {
    if (is) list.append(list.empty() ? "\"" : ", \"").append(name).append("\"");
  };
  add(parts.reads, "reads");
  add(parts.streams, "streams");
  add(parts.writes, "writes");
  add(parts.sync, "sync");
  return "[" + list + "]";
}

/// 4 KiB random requests a second that the model allows: what was measured, at the knee.
double small_requests(const sched::DiskProfile& profile, sched::Operation operation) {
  return std::round(1e9 / static_cast<double>(sched::CostModel{profile}.cost(operation, 4096, false)));
}

}  // namespace

std::string_view spelled(sched::Confidence confidence) {
  switch (confidence) {
    case sched::Confidence::none:
      return "none";
    case sched::Confidence::low:
      return "low";
    case sched::Confidence::high:
      return "high";
  }
  return "none";
}

std::string profile_text(const sched::DiskProfile& profile) {
  std::ostringstream out;
  out << "version = " << kProfileVersion << "\n"
      << "reason = " << toml_string(profile.reason) << "\n"
      << "confidence = \"" << spelled(profile.confidence) << "\"\n"
      << "measured = " << measured(profile.measured) << "\n"
      << "depth = " << profile.depth << "\n"
      << "parallelism = " << number(profile.parallelism) << "\n"
      << "interleave_ratio = " << number(profile.interleave_ratio) << "\n"
      << "best_streams = " << profile.best_streams << "\n"
      << "switch_us = " << number(to_us(profile.switch_cost)) << "\n"
      << "idle = " << (profile.idle ? "true" : "false") << "\n"
      << "sync_us = " << number(to_us(profile.sync)) << "\n"
      << "saturating_bytes = " << profile.saturating_bytes << "\n";
  write_coefficients(out, "read", profile.read);
  write_coefficients(out, "write", profile.write);
  return out.str();
}

std::string profile_json(const sched::DiskProfile& profile) {
  using json = nlohmann::ordered_json;
  const auto& parts = profile.measured;
  const auto if_measured = [](bool is, json value) { return is ? std::move(value) : json{}; };
  const json object{{"version", kProfileVersion},
                    {"parallelism", if_measured(parts.reads, profile.parallelism)},
                    {"depth", if_measured(parts.reads, profile.depth)},
                    {"interleave_ratio", if_measured(parts.streams, profile.interleave_ratio)},
                    {"best_streams", if_measured(parts.streams, profile.best_streams)},
                    {"switch_us", if_measured(parts.streams, to_us(profile.switch_cost))},
                    {"idle", if_measured(parts.streams, profile.idle)},
                    {"read_iops", if_measured(parts.reads, small_requests(profile, sched::Operation::read))},
                    {"write_iops", if_measured(parts.writes, small_requests(profile, sched::Operation::write))},
                    {"read_bytes_per_s", if_measured(parts.reads, profile.read.bytes_per_s)},
                    {"write_bytes_per_s", if_measured(parts.writes, profile.write.bytes_per_s)},
                    {"fsync_us", if_measured(parts.sync, to_us(profile.sync))},
                    {"saturating_bytes", if_measured(parts.streams, profile.saturating_bytes)},
                    {"confidence", spelled(profile.confidence)},
                    {"reason", profile.reason}};
  return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace fairfs::cli
