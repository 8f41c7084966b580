#include "cli/live/bars.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace fairfs::cli {
namespace {

constexpr std::array<std::string_view, 9> kHeights{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
constexpr std::array<std::string_view, 9> kPlainHeights{" ", ".", ".", ":", "-", "=", "+", "*", "#"};

std::size_t columns_of(double share, std::size_t width) {
  return static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * static_cast<double>(width)));
}

}  // namespace

std::string share_bar(double got, double due, std::size_t width, Glyphs glyphs) {
  if (width < 3) return std::string(width, ' ');
  const bool plain = glyphs == Glyphs::ascii;
  const std::size_t inner = width - 2, filled = columns_of(got, inner);
  // The mark stands in the last column that is due; no mark where nothing is.
  const std::size_t mark = due > 0 ? std::max<std::size_t>(columns_of(due, inner), 1) - 1 : inner;
  std::string result = "[";
  for (std::size_t i = 0; i < inner; ++i) {
    if (i == mark) {
      result += i < filled ? (plain ? "+" : "╋") : (plain ? ":" : "┆");
    } else {
      result += i < filled ? (plain ? "=" : "━") : " ";
    }
  }
  return result + "]";
}

std::string sparkline(std::span<const double> values, Glyphs glyphs) {
  const auto& heights = glyphs == Glyphs::ascii ? kPlainHeights : kHeights;
  std::string result;
  for (const double value : values) {
    const double clamped = std::clamp(value, 0.0, 1.0);
    // The least that is something is seen.
    auto height = static_cast<std::size_t>(std::lround(clamped * 8));
    if (height == 0 && clamped > 0.001) height = 1;
    result += heights.at(height);
  }
  return result;
}

}  // namespace fairfs::cli
