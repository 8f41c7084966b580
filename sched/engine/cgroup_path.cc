#include "sched/engine/cgroup_path.h"

#include "sched/engine/file.h"

namespace fairfs::engine {
namespace {

bool lists(std::string_view comma_separated, std::string_view word) {
  while (!comma_separated.empty()) {
    const std::size_t end = comma_separated.find(',');
    if (comma_separated.substr(0, end) == word) return true;
    comma_separated.remove_prefix(end == std::string_view::npos ? comma_separated.size() : end + 1);
  }
  return false;
}

// mountinfo writes blank, tab, newline and backslash as a backslash and three octal digits.
std::string unescape(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size()) {
      plain += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      plain += text[i];
    }
  }
  return plain;
}

}  // namespace

std::string cgroup_of(std::string_view text) {
  std::string_view unified = "/";
  while (!text.empty()) {
    const std::string_view line = take_line(text);  // "7:blkio:/path", "0::/path"
    const std::size_t first = line.find(':');
    if (first == std::string_view::npos) continue;
    const std::size_t second = line.find(':', first + 1);
    if (second == std::string_view::npos) continue;
    const std::string_view controllers = line.substr(first + 1, second - first - 1), path = line.substr(second + 1);
    if (lists(controllers, "blkio")) return std::string(path);
    if (controllers.empty()) unified = path;
  }
  return std::string(unified);
}

CgroupMount find_cgroup_mount(std::string_view text) {
  CgroupMount unified;
  while (!text.empty()) {
    std::string_view line = take_line(text);  // "38 31 0:35 /root /folder options [tags] - type source options"
    for (int i = 0; i < 3; ++i) take_word(line);
    const std::string_view root = take_word(line), folder = take_word(line);
    const std::size_t separator = line.find(" - ");
    if (separator == std::string_view::npos) continue;
    line.remove_prefix(separator + 3);
    const std::string_view type = take_word(line);
    take_word(line);
    if (type == "cgroup" && lists(take_word(line), "blkio")) return {unescape(folder), unescape(root), false};
    if (type == "cgroup2" && unified.folder.empty()) unified = {unescape(folder), unescape(root), true};
  }
  return unified;
}

}  // namespace fairfs::engine
