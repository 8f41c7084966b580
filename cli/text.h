// Text for a terminal: escaped, cut to width, numbers in units people read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "sched/types.h"

namespace fairfs::cli {

/// `text` with control characters (C0, DEL, C1) and bytes that are not UTF-8 as \xNN. A backslash stays what it is.
[[nodiscard]] std::string printable(std::string_view text);

/// Length of the well-formed, printable UTF-8 sequence at the start of `text`, which is not empty; 0 when there is none
/// (RFC 3629).
[[nodiscard]] std::size_t printable_sequence(std::string_view text);

/// Columns of printable text on a terminal: East Asian characters and emoji take two, combining marks none.
[[nodiscard]] std::size_t width(std::string_view text);

enum class Keep : std::uint8_t { head, tail };
/// Exactly `columns` wide: filled with spaces on the right, or cut with a ~ where something is missing.
[[nodiscard]] std::string fit(std::string_view text, std::size_t columns, Keep keep = Keep::head);
/// At least `columns` wide, filled with spaces on the left.
[[nodiscard]] std::string right(std::string_view text, std::size_t columns);

/// One code point as UTF-8.
[[nodiscard]] std::string utf8(char32_t point);

/// Bytes in at most 6 characters: "0", "512", "1.5K", "34M", "1023G" (powers of 1024).
[[nodiscard]] std::string human_bytes(double bytes);
/// Microseconds in at most 6 characters: "0", "850us", "1.2ms", "34ms", "2.5s".
[[nodiscard]] std::string human_time(double microseconds);
/// A count per second in at most 6 characters: "0", "0.5", "12", "9999", "120k".
[[nodiscard]] std::string human_count(double count);

/// "rt", "be", "idle", as in the weights file.
[[nodiscard]] std::string_view class_word(sched::ServiceClass service);

}  // namespace fairfs::cli
