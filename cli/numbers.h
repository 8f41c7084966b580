// Numbers as people write them on a command line.
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>

namespace fairfs::cli {

/// The whole of `text` as a number within [least, most], without spaces or a plus sign; nothing otherwise (also for
/// nan).
template <typename Number>
[[nodiscard]] std::optional<Number> number_within(std::string_view text, Number least, Number most) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || !(value >= least && value <= most)) return std::nullopt;
  return value;
}

}  // namespace fairfs::cli
