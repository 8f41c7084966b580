// Lists as mount(8) writes them: words with commas between.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fairfs::cli {

/// Splits at commas; `\,` is a comma and `\\` a backslash within a word, any other backslash is itself. Empty words
/// vanish, as in mount(8).
[[nodiscard]] std::vector<std::string> split_at_commas(std::string_view text);

/// The word as it stands in such a list.
[[nodiscard]] std::string escape_commas(std::string_view word);

}  // namespace fairfs::cli
