#include "cli/csv_view.h"

#include <array>
#include <charconv>
#include <concepts>
#include <string_view>

#include "cli/flow_fields.h"

namespace fairfs::cli {
namespace {

/// One line, without its end.
class CsvLine {
 public:
  void add(std::string_view text) {
    separate();
    if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
      line_ += text;
      return;
    }
    line_ += '"';
    for (const char letter : text) {
      if (letter == '"') line_ += '"';
      line_ += letter;
    }
    line_ += '"';
  }
  void add(const char* text) { add(std::string_view{text}); }
  void add(bool truth) { add(std::string_view{truth ? "true" : "false"}); }
  template <typename Number>
  requires std::integral<Number> || std::floating_point<Number>
  void add(Number number) {
    separate();
    std::array<char, 32> digits{};
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    line_.append(digits.data(), end);
  }
  [[nodiscard]] const std::string& line() const { return line_; }

 private:
  void separate() {
    if (!first_) line_ += ',';
    first_ = false;
  }
  std::string line_;
  bool first_ = true;
};

constexpr std::string_view kEnd = "\r\n";

}  // namespace

std::string csv_heading() {
  CsvLine line;
  for (const char* name : {"time", "mountpoint", "interval_s", "device_use"}) line.add(name);
  for_each_field(FlowView{}, [&line](std::string_view name, const auto& /*value*/) { line.add(name); });
  return line.line() + std::string{kEnd};
}

std::string to_csv(const IntervalView& interval) {
  std::string result;
  for (const FlowView& flow : interval.flows) {
    CsvLine line;
    line.add(interval.state.wall_s);
    line.add(interval.about.mountpoint);
    line.add(interval.interval_s);
    line.add(interval.device_use);
    for_each_field(flow, [&line](std::string_view /*name*/, const auto& value) { line.add(value); });
    result.append(line.line()).append(kEnd);
  }
  return result;
}

}  // namespace fairfs::cli
