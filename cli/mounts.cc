// Finding mounted filesystems of ours in /proc/self/mountinfo (proc(5)).
#include <fstream>
#include <iterator>
#include <limits>
#include <sstream>

#include "cli/numbers.h"
#include "cli/socket_path.h"

namespace fairfs::cli {
namespace {

bool is_octal(char letter) { return letter >= '0' && letter <= '7'; }

/// The kernel writes space, tab, line feed and backslash as \ooo.
std::string unescape(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && is_octal(text[i + 1]) && is_octal(text[i + 2]) &&
        is_octal(text[i + 3])) {
      result += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
      i += 3;
    } else {
      result += text[i];
    }
  }
  return result;
}

uid_t owner_in(std::string_view super_options) {
  constexpr std::string_view kKey = "user_id=";
  const auto found = super_options.find(kKey);
  if (found == std::string_view::npos) return 0;
  std::string_view rest = super_options.substr(found + kKey.size());
  rest = rest.substr(0, rest.find(','));
  return number_within(rest, uid_t{0}, static_cast<uid_t>(-2)).value_or(0);
}

}  // namespace

MountLine parse_mount_line(const std::string& line) {
  // 36 35 98:0 /root /mountpoint options [optional...] - type source super-options
  MountLine mount;
  const auto separator = line.find(" - ");
  if (separator == std::string::npos) return mount;
  std::istringstream left{line.substr(0, separator)}, right{line.substr(separator + 3)};
  std::string id, skipped, mountpoint, source;
  left >> id >> skipped >> skipped >> skipped >> mountpoint;
  right >> mount.type >> source >> mount.super_options;
  mount.mountpoint = unescape(mountpoint);
  mount.source = unescape(source);
  mount.id = number_within(id, std::uint64_t{0}, std::numeric_limits<std::uint64_t>::max()).value_or(0);
  return mount;
}

std::vector<Mount> parse_mounts(std::string_view mountinfo) {
  std::vector<Mount> result;
  std::istringstream lines{std::string{mountinfo}};
  for (std::string line; std::getline(lines, line);) {
    const MountLine mount = parse_mount_line(line);
    if (mount.type != "fuse.fairfs") continue;
    result.push_back({mount.mountpoint, mount.source, owner_in(mount.super_options), mount.id});
  }
  return result;
}

std::vector<Mount> current_mounts() {
  std::ifstream file{"/proc/self/mountinfo"};
  return parse_mounts(std::string{std::istreambuf_iterator<char>{file}, {}});
}

}  // namespace fairfs::cli
