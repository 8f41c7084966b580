#include "sched/engine/glob.h"

namespace fairfs::engine {

bool glob_match(std::string_view pattern, std::string_view text) {
  // Going back to the last star is enough: since no star crosses a '/', parts between slashes match by themselves, and
  // within a part the shortest match of an earlier star leaves the most to a later one.
  constexpr std::size_t kNone = std::string_view::npos;
  std::size_t p = 0, t = 0, star = kNone, star_end = 0;
  while (t < text.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      star_end = t;
    } else if (p < pattern.size() && t < text.size() &&
               (pattern[p] == text[t] || (pattern[p] == '?' && text[t] != '/'))) {
      ++p;
      ++t;
    } else if (star != kNone && star_end < text.size() && text[star_end] != '/') {
      p = star + 1;
      t = ++star_end;
    } else {
      return false;
    }
  }
  return true;
}

}  // namespace fairfs::engine
