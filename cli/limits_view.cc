#include "cli/limits_view.h"

#include <array>
#include <chrono>
#include <cstdio>

namespace fairfs::cli {
namespace {

constexpr double kSwing = 0.1;

std::string number(double value, const char* unit) {
  std::array<char, 48> buffer{};
  std::snprintf(buffer.data(), buffer.size(), "%.12g%s", value, unit);
  return buffer.data();
}

/// The largest unit that gives at least 1: "50MB/s", "1500kB/s" would be "1.5MB/s".
std::string rate(std::uint64_t bytes) {
  const auto value = static_cast<double>(bytes);
  if (value >= 1e9) return number(value / 1e9, "GB/s");
  return value >= 1e6 ? number(value / 1e6, "MB/s") : number(value / 1e3, "kB/s");
}

std::string time(sched::Duration duration) {
  const double us = std::chrono::duration<double, std::micro>(duration).count();
  if (us >= 1e6) return number(us / 1e6, "s");
  return us >= 1e3 ? number(us / 1e3, "ms") : number(us, "us");
}

std::string count(std::uint64_t requests_per_s) { return std::to_string(requests_per_s); }

/// A key of the weights file, and the rate that it bounds.
struct Bound {
  const char* key;
  bool is_ceiling;
  std::uint64_t sched::Limits::*limit;
  double DiskRates::*got;
  std::string (*spelled)(std::uint64_t);
};
constexpr std::array kBounds{
    Bound{"min_read", false, &sched::Limits::min_read, &DiskRates::read_bytes_per_s, &rate},
    Bound{"min_write", false, &sched::Limits::min_write, &DiskRates::write_bytes_per_s, &rate},
    Bound{"max_read", true, &sched::Limits::max_read, &DiskRates::read_bytes_per_s, &rate},
    Bound{"max_write", true, &sched::Limits::max_write, &DiskRates::write_bytes_per_s, &rate},
    Bound{"min_iops", false, &sched::Limits::min_iops, &DiskRates::requests_per_s, &count},
    Bound{"max_iops", true, &sched::Limits::max_iops, &DiskRates::requests_per_s, &count},
};

class Words {
 public:
  void add(const char* key, const std::string& value) {
    text_.append(text_.empty() ? "" : ", ").append(key).append("=").append(value);
  }
  void add(bool is_so, const Bound& bound, const sched::Limits& limits) {
    if (is_so) add(bound.key, bound.spelled(limits.*bound.limit));
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

bool comes_up_to(double got, std::uint64_t ceiling) {
  return ceiling != 0 && got >= static_cast<double>(ceiling) * (1 - kSwing);
}
bool lives_on(double got, std::uint64_t floor) {
  return floor != 0 && got > 0 && got <= static_cast<double>(floor) * (1 + kSwing);
}

}  // namespace

void DiskRates::add(const FlowView& flow) {
  const double from_disk = flow.reads_per_s > 0 ? 1 - flow.cached_per_s / flow.reads_per_s : 0;
  read_bytes_per_s += flow.read_bytes_per_s * from_disk;
  write_bytes_per_s += flow.write_bytes_per_s;
  requests_per_s += flow.reads_per_s - flow.cached_per_s + flow.writes_per_s;
}

std::string to_words(const sched::Limits& limits) {
  Words words;
  for (const Bound& bound : kBounds) words.add(limits.*bound.limit != 0, bound, limits);
  if (limits.latency != sched::Duration{}) words.add("latency", time(limits.latency));
  return words.take();
}

std::string ceilings_reached(const sched::Limits& limits, const DiskRates& got) {
  Words words;
  for (const Bound& bound : kBounds)
    words.add(bound.is_ceiling && comes_up_to(got.*bound.got, limits.*bound.limit), bound, limits);
  return words.take();
}

std::string floors_in_use(const sched::Limits& limits, const DiskRates& got) {
  Words words;
  for (const Bound& bound : kBounds)
    words.add(!bound.is_ceiling && lives_on(got.*bound.got, limits.*bound.limit), bound, limits);
  return words.take();
}

}  // namespace fairfs::cli
