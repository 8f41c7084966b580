#include "cli/limits_parser.h"

#include <array>
#include <charconv>
#include <chrono>
#include <string>
#include <utility>

namespace fairfs::cli {
namespace {

using namespace std::chrono_literals;

struct Unit {
  std::string_view name;
  double size;
};
constexpr std::array kRates{Unit{"kB/s", 1e3},      Unit{"MB/s", 1e6},      Unit{"GB/s", 1e9},
                            Unit{"KiB/s", 1 << 10}, Unit{"MiB/s", 1 << 20}, Unit{"GiB/s", 1 << 30}};
constexpr std::array kTimes{Unit{"us", 1e3}, Unit{"ms", 1e6}, Unit{"s", 1e9}};

constexpr std::string_view kRatesAllowed = "allowed is 1kB/s to 1000GB/s, as in \"50MB/s\" or \"1.5GiB/s\"";
constexpr std::string_view kTimesAllowed = "allowed is 100us to 60s, as in \"20ms\"";
constexpr double kRateLeast = 1e3, kRateMost = 1e12;
constexpr double kTimeLeast = 1e5, kTimeMost = 6e10;  // ns
constexpr std::int64_t kRequestsMost = 100'000'000;

/// A number with one of the units, between the two; 0 when the key is missing.
template <std::size_t size>
double amount(const ConfigTable& rule, std::string_view key, const std::array<Unit, size>& units, double least,
              double most, std::string_view allowed) {
  const auto text = rule.string(key);
  if (!text) return 0;
  double number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  const std::string_view unit = std::string_view{*text}.substr(static_cast<std::size_t>(end - text->data()));
  for (const Unit& known : units) {
    if (error != std::errc{} || unit != known.name) continue;
    const double value = number * known.size;
    if (value >= least && value <= most) return value;
    break;
  }
  rule.refuse(key, std::string{key} + " '" + *text + "' is not right", allowed);
}

std::uint64_t rate(const ConfigTable& rule, std::string_view key) {
  return static_cast<std::uint64_t>(amount(rule, key, kRates, kRateLeast, kRateMost, kRatesAllowed));
}

std::uint64_t requests(const ConfigTable& rule, std::string_view key) {
  return static_cast<std::uint64_t>(rule.integer(key, 1, kRequestsMost).value_or(0));
}

void check_order(const ConfigTable& rule, std::string_view least, std::uint64_t floor, std::string_view most,
                 std::uint64_t ceiling) {
  if (ceiling == 0 || floor <= ceiling) return;
  rule.refuse(least, std::string{least} + " is above " + std::string{most}, "a floor must be at most its ceiling");
}

}  // namespace

sched::Limits parse_limits(const ConfigTable& rule) {
  sched::Limits limits;
  limits.min_read = rate(rule, "min_read");
  limits.min_write = rate(rule, "min_write");
  limits.max_read = rate(rule, "max_read");
  limits.max_write = rate(rule, "max_write");
  limits.min_iops = requests(rule, "min_iops");
  limits.max_iops = requests(rule, "max_iops");
  const double latency = amount(rule, "latency", kTimes, kTimeLeast, kTimeMost, kTimesAllowed);
  limits.latency = sched::Duration{static_cast<sched::Duration::rep>(latency)};
  check_order(rule, "min_read", limits.min_read, "max_read", limits.max_read);
  check_order(rule, "min_write", limits.min_write, "max_write", limits.max_write);
  check_order(rule, "min_iops", limits.min_iops, "max_iops", limits.max_iops);
  return limits;
}

}  // namespace fairfs::cli
