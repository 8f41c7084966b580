// How wide text is on a terminal, and text of a given width.
#include <algorithm>
#include <array>

#include "cli/text.h"

namespace fairfs::cli {
namespace {

struct Range {
  char32_t first, last;
};
// From Unicode's EastAsianWidth.txt (W and F), in blocks: exact to the few unassigned points between.
constexpr std::array kWide{Range{0x1100, 0x115f},   Range{0x2e80, 0x303e},   Range{0x3041, 0xa4cf},
                           Range{0xa960, 0xa97c},   Range{0xac00, 0xd7a3},   Range{0xf900, 0xfaff},
                           Range{0xfe30, 0xfe6f},   Range{0xff00, 0xff60},   Range{0xffe0, 0xffe6},
                           Range{0x1f300, 0x1f64f}, Range{0x1f900, 0x1f9ff}, Range{0x20000, 0x3fffd}};
// Combining marks and joiners: they stand on the letter before them.
constexpr std::array kNone{Range{0x0300, 0x036f}, Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x200b, 0x200f},
                           Range{0x20d0, 0x20ff}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}};

bool is_in(const auto& ranges, char32_t point) {
  return std::ranges::any_of(ranges, [&](const Range& range) { return point >= range.first && point <= range.last; });
}

struct Character {
  std::size_t bytes, columns;
};

/// The first one of `text`, which is UTF-8 and not empty; a stray byte counts as one.
Character first_of(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {1, 1};
  const std::size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1;
  if (bytes == 1 || text.size() < bytes) return {1, 1};
  char32_t point = lead & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) point = point << 6 | (byte(i) & 0x3fU);
  return {bytes, is_in(kNone, point) ? 0U : is_in(kWide, point) ? 2U : 1U};
}

}  // namespace

std::size_t width(std::string_view text) {
  std::size_t columns = 0;
  while (!text.empty()) {
    const Character character = first_of(text);
    columns += character.columns;
    text.remove_prefix(character.bytes);
  }
  return columns;
}

std::string fit(std::string_view text, std::size_t columns, Keep keep) {
  const std::size_t have = width(text);
  if (have <= columns) return std::string{text}.append(columns - have, ' ');
  if (columns == 0) return {};
  // One column goes to the mark; a wide character that fits only half leaves a space.
  const std::size_t room = columns - 1;
  std::size_t passed = 0, at = 0;
  const auto more = [&] {
    const std::size_t left = have - passed;
    return keep == Keep::head ? passed + first_of(text.substr(at)).columns <= room : left > room;
  };
  while (at < text.size() && more()) {
    const Character character = first_of(text.substr(at));
    passed += character.columns;
    at += character.bytes;
  }
  if (keep == Keep::head) return std::string{text.substr(0, at)}.append("~").append(room - passed, ' ');
  return std::string{"~"}.append(room - (have - passed), ' ').append(text.substr(at));
}

std::string right(std::string_view text, std::size_t columns) {
  const std::size_t have = width(text);
  return std::string(have < columns ? columns - have : 0, ' ').append(text);
}

std::string utf8(char32_t point) {
  std::string result;
  const auto rest = [&](unsigned shift) { result += static_cast<char>(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    result += static_cast<char>(point);
  } else if (point < 0x800) {
    result += static_cast<char>(0xc0 | point >> 6);
    rest(0);
  } else if (point < 0x10000) {
    result += static_cast<char>(0xe0 | point >> 12);
    rest(6);
    rest(0);
  } else {
    result += static_cast<char>(0xf0 | (point >> 18 & 0x07));
    rest(12);
    rest(6);
    rest(0);
  }
  return result;
}

}  // namespace fairfs::cli
