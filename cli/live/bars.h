// Bars and sparklines from plain characters.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fairfs::cli {

enum class Glyphs : bool { ascii, unicode };

/// A share as a bar: exactly `width` columns. `got` of it is filled, a mark stands where `due` ends.
[[nodiscard]] std::string share_bar(double got, double due, std::size_t width, Glyphs glyphs);

/// One character a value, the higher the larger; 1 is the top.
[[nodiscard]] std::string sparkline(std::span<const double> values, Glyphs glyphs);

}  // namespace fairfs::cli
