#include "cli/comma_list.h"

namespace fairfs::cli {

std::vector<std::string> split_at_commas(std::string_view text) {
  std::vector<std::string> result(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escaped = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == ',' || text[i + 1] == '\\');
    if (escaped) ++i;
    if (text[i] == ',' && !escaped) {
      result.emplace_back();
    } else {
      result.back() += text[i];
    }
  }
  std::erase(result, std::string{});
  return result;
}

std::string escape_commas(std::string_view word) {
  std::string result;
  for (const char letter : word) {
    if (letter == ',' || letter == '\\') result += '\\';
    result += letter;
  }
  return result;
}

}  // namespace fairfs::cli
