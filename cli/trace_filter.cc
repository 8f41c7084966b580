#include "cli/trace_filter.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/failure.h"
#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

using engine::TraceReason;
using sched::Operation;

constexpr std::string_view kProgram = "fairfs-stat";

constexpr std::array kOperations{std::pair{std::string_view{"read"}, Operation::read},
                                 std::pair{std::string_view{"write"}, Operation::write},
                                 std::pair{std::string_view{"sync"}, Operation::sync}};
constexpr std::array kReasons{std::pair{std::string_view{"alone"}, TraceReason::alone},
                              std::pair{std::string_view{"share"}, TraceReason::share},
                              std::pair{std::string_view{"deadline"}, TraceReason::deadline},
                              std::pair{std::string_view{"unscheduled"}, TraceReason::unscheduled}};

[[noreturn]] void refuse(std::string_view word, std::string_view allowed) {
  throw misused("--trace: '" + std::string{word} + "': allowed is " + std::string{allowed}, kProgram);
}

template <typename Value, std::size_t size>
Value named(const std::array<std::pair<std::string_view, Value>, size>& names, std::string_view word,
            std::string_view value) {
  std::string allowed;
  for (const auto& [name, meaning] : names) {
    if (name == value) return meaning;
    allowed.append(allowed.empty() ? "" : ", ").append(name);
  }
  refuse(word, allowed);
}

template <typename Number>
Number number(std::string_view word, std::string_view value) {
  const auto result = number_within(value, Number{0}, std::numeric_limits<Number>::max());
  if (!result) refuse(word, "a whole number");
  return *result;
}

sched::Duration duration(std::string_view word, std::string_view value) {
  constexpr std::array kUnits{std::pair{std::string_view{"us"}, 1e3}, std::pair{std::string_view{"ms"}, 1e6},
                              std::pair{std::string_view{"s"}, 1e9}};
  constexpr double kMost = 1e6;  // of any unit: eleven days of seconds
  for (const auto& [unit, ns] : kUnits) {
    if (!value.ends_with(unit)) continue;
    const auto amount = number_within(value.substr(0, value.size() - unit.size()), 0.0, kMost);
    if (amount) return sched::Duration{std::llround(*amount * ns)};
  }
  refuse(word, "a time such as 500us, 20ms or 1.5s");
}

template <typename Value, std::size_t size>
std::string_view name_of(const std::array<std::pair<std::string_view, Value>, size>& names, Value value) {
  for (const auto& [name, meaning] : names) {
    if (meaning == value) return name;
  }
  return "?";
}

}  // namespace

bool TraceFilter::lets_through(const engine::TracedRequest& request) const {
  return (!flow || request.flow.find(*flow) != std::string::npos) && (!command || request.command == *command) &&
         (!pid || request.pid == *pid) && (!inode || request.inode == *inode) &&
         (!operation || request.operation == *operation) && (!why || request.reason == *why) &&
         request.waited + request.service >= longer;
}

void add_condition(TraceFilter& filter, std::string_view word) {
  const auto equals = word.find('=');
  const std::string_view key = word.substr(0, equals);
  const std::string_view value = equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
  if (value.empty()) refuse(word, "flow=, command=, pid=, inode=, op=, why= or longer= with a value");
  if (key == "flow") {
    filter.flow = value;
  } else if (key == "command") {
    filter.command = value;
  } else if (key == "pid") {
    filter.pid = number<pid_t>(word, value);
  } else if (key == "inode") {
    filter.inode = number<std::uint64_t>(word, value);
  } else if (key == "op") {
    filter.operation = named(kOperations, word, value);
  } else if (key == "why") {
    filter.why = named(kReasons, word, value);
  } else if (key == "longer") {
    filter.longer = duration(word, value);
  } else {
    refuse(word, "flow=, command=, pid=, inode=, op=, why= or longer=");
  }
}

std::string_view operation_word(Operation operation) { return name_of(kOperations, operation); }
std::string_view reason_word(TraceReason reason) { return name_of(kReasons, reason); }

}  // namespace fairfs::cli
