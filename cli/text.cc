#include "cli/text.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace fairfs::cli {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) { return static_cast<unsigned char>(text[index]); }

std::string format(const char* pattern, double value, const char* unit) {
  std::array<char, 64> buffer{};
  std::snprintf(buffer.data(), buffer.size(), pattern, value, unit);
  return buffer.data();
}

/// One decimal below 10 (9.95 would round to "10.0"), none from there.
std::string with_unit(double value, const char* unit) {
  return format(value < 9.95 ? "%.1f%s" : "%.0f%s", value, unit);
}

}  // namespace

std::size_t printable_sequence(std::string_view text) {
  const unsigned char lead = byte_at(text, 0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xc0) != 0x80) return 0;
  }
  const unsigned char second = byte_at(text, 1);
  const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
  const bool surrogate = lead == 0xed && second >= 0xa0;
  const bool beyond_unicode = lead == 0xf4 && second >= 0x90;
  const bool c1_control = lead == 0xc2 && second < 0xa0;
  return overlong || surrogate || beyond_unicode || c1_control ? 0 : length;
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = printable_sequence(text);
    if (length == 0) {
      std::array<char, 5> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x", static_cast<unsigned>(byte_at(text, 0)));
      result += escaped.data();
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return result;
}

std::string human_bytes(double bytes) {
  static constexpr std::array kUnits{"K", "M", "G", "T", "P"};
  if (bytes < 1023.5) return format("%.0f%s", bytes, "");
  std::size_t unit = 0;
  bytes /= 1024;
  while (bytes >= 1023.5 && unit + 1 < kUnits.size()) {
    bytes /= 1024;
    ++unit;
  }
  return with_unit(bytes, kUnits.at(unit));
}

std::string human_time(double microseconds) {
  if (microseconds < 0.5) return "0";
  if (microseconds < 999.5) return format("%.0f%s", microseconds, "us");
  if (microseconds < 999'500) return with_unit(microseconds / 1000, "ms");
  return with_unit(microseconds / 1'000'000, "s");
}

std::string human_count(double count) {
  if (count < 0.05) return "0";
  if (count < 9999.5) return with_unit(count, "");
  if (count < 9'999'500) return format("%.0f%s", count / 1000, "k");
  return format("%.0f%s", count / 1'000'000, "M");
}

std::string_view class_word(sched::ServiceClass service) {
  switch (service) {
    case sched::ServiceClass::realtime:
      return "rt";
    case sched::ServiceClass::best_effort:
      return "be";
    case sched::ServiceClass::idle:
      return "idle";
  }
  return "";
}

}  // namespace fairfs::cli
