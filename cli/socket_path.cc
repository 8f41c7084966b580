#include "cli/socket_path.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "cli/failure.h"

namespace fairfs::cli {
namespace {

constexpr std::size_t kNameMax = 72, kNameKept = 48;
/// As many links as the kernel follows.
constexpr int kLinksMax = 40;

bool stays(char letter, bool first) {
  const bool alphanumeric =
      (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || (letter >= '0' && letter <= '9');
  return alphanumeric || letter == '_' || letter == ':' || (letter == '.' && !first);
}

/// FNV-1a, 64 bits: stable between versions and machines, which std::hash is not.
std::uint64_t hash(std::string_view text) {
  std::uint64_t value = 0xcbf29ce484222325;
  for (const char letter : text) value = (value ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  return value;
}

std::string real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> resolved{realpath(path.c_str(), nullptr), &std::free};
  if (!resolved) throw failed("mountpoint", path, errno, "name a mounted fairfs");
  return resolved.get();
}

std::optional<std::string> link_target(const std::string& path) {
  std::array<char, PATH_MAX> buffer{};
  const ssize_t length = readlink(path.c_str(), buffer.data(), buffer.size());
  if (length < 0) return std::nullopt;
  return std::string{buffer.data(), static_cast<std::size_t>(length)};
}

}  // namespace

std::string socket_directory(uid_t owner) {
  if (owner == 0) return "/run/fairfs";
  const char* const runtime = std::getenv("XDG_RUNTIME_DIR");
  if (owner == geteuid() && runtime != nullptr && *runtime == '/') return std::string{runtime} + "/fairfs";
  return "/run/user/" + std::to_string(owner) + "/fairfs";
}

std::string spare_socket_directory(uid_t owner) { return "/tmp/fairfs-" + std::to_string(owner); }

std::string socket_directory_to_make(uid_t owner) {
  const std::string usual = socket_directory(owner);
  std::error_code error;
  const bool has_place = std::filesystem::is_directory(std::filesystem::path{usual}.parent_path(), error);
  return has_place ? usual : spare_socket_directory(owner);
}

std::string socket_directory_with(uid_t owner, std::string_view mountpoint) {
  const std::string usual = socket_directory(owner), spare = spare_socket_directory(owner);
  const std::string name = "/" + socket_name(mountpoint);
  struct stat socket {
  }, directory{};
  if (lstat((usual + name).c_str(), &socket) == 0) return usual;
  // Anybody may make a directory of that name: only the owner's counts.
  const bool is_owners =
      lstat(spare.c_str(), &directory) == 0 && S_ISDIR(directory.st_mode) && directory.st_uid == owner;
  return is_owners && lstat((spare + name).c_str(), &socket) == 0 ? spare : usual;
}

std::string socket_name(std::string_view mountpoint) {
  const std::string_view relative = mountpoint.starts_with('/') ? mountpoint.substr(1) : mountpoint;
  std::string name;
  for (const char letter : relative) {
    if (letter == '/') {
      name += '-';
    } else if (stays(letter, name.empty())) {
      name += letter;
    } else {
      std::array<char, 5> escaped{};
      std::snprintf(escaped.data(), escaped.size(), "\\x%02x",
                    static_cast<unsigned>(static_cast<unsigned char>(letter)));
      name += escaped.data();
    }
  }
  if (relative.empty()) name = "-";
  if (name.size() > kNameMax) {
    std::array<char, 18> digits{};  // '#' is always escaped in a whole name: no clash with one
    std::snprintf(digits.data(), digits.size(), "#%016llx", static_cast<unsigned long long>(hash(mountpoint)));
    name = name.substr(0, kNameKept) + digits.data();
  }
  return name + ".sock";
}

std::string resolve_mountpoint(const std::string& path, const std::vector<Mount>& mounts) {
  namespace files = std::filesystem;
  // No "." or trailing slash at the end; the working directory itself is canonical.
  files::path at = files::path{path.empty() ? "." : path};
  if (at.is_relative()) at = files::current_path() / at;
  for (int links = 0; links < kLinksMax; ++links) {
    while (at.has_relative_path() && (at.filename().empty() || at.filename() == ".")) at = at.parent_path();
    if (!at.has_relative_path() || at.filename() == "..") return real_path(at);
    const files::path above = real_path(at.parent_path());
    at = above / at.filename();
    if (std::ranges::find(mounts, at.string(), &Mount::mountpoint) != mounts.end()) return at;
    const auto target = link_target(at);
    if (!target) return at;
    at = above / *target;  // an absolute target replaces what is before it
  }
  throw failed("mountpoint", path, ELOOP, "name a mounted fairfs");
}

}  // namespace fairfs::cli
