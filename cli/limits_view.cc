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

class Words {
 public:
  void add(bool is_so, const char* key, const std::string& value) {
    if (is_so) text_.append(text_.empty() ? "" : ", ").append(key).append("=").append(value);
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
  words.add(limits.min_read != 0, "min_read", rate(limits.min_read));
  words.add(limits.min_write != 0, "min_write", rate(limits.min_write));
  words.add(limits.max_read != 0, "max_read", rate(limits.max_read));
  words.add(limits.max_write != 0, "max_write", rate(limits.max_write));
  words.add(limits.min_iops != 0, "min_iops", std::to_string(limits.min_iops));
  words.add(limits.max_iops != 0, "max_iops", std::to_string(limits.max_iops));
  words.add(limits.latency != sched::Duration{}, "latency", time(limits.latency));
  return words.take();
}

std::string ceilings_reached(const sched::Limits& limits, const DiskRates& got) {
  Words words;
  words.add(comes_up_to(got.read_bytes_per_s, limits.max_read), "max_read", rate(limits.max_read));
  words.add(comes_up_to(got.write_bytes_per_s, limits.max_write), "max_write", rate(limits.max_write));
  words.add(comes_up_to(got.requests_per_s, limits.max_iops), "max_iops", std::to_string(limits.max_iops));
  return words.take();
}

std::string floors_in_use(const sched::Limits& limits, const DiskRates& got) {
  Words words;
  words.add(lives_on(got.read_bytes_per_s, limits.min_read), "min_read", rate(limits.min_read));
  words.add(lives_on(got.write_bytes_per_s, limits.min_write), "min_write", rate(limits.min_write));
  words.add(lives_on(got.requests_per_s, limits.min_iops), "min_iops", std::to_string(limits.min_iops));
  return words.take();
}

}  // namespace fairfs::cli
