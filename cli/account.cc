#include "cli/account.h"

#include <grp.h>
#include <pwd.h>

#include <vector>

namespace fairfs::cli {
namespace {

/// Room for the strings of an entry: members of a large group are listed in it.
constexpr std::size_t kRoom = std::size_t{1} << 16;

/// What getpwnam or getgrnam filled in: the id, or nothing for an unknown name.
template <typename Entry, typename Id>
std::optional<Id> look_up(const std::string& name, int (*find)(const char*, Entry*, char*, std::size_t, Entry**),
                          Id Entry::*id) {
  if (name.find('\0') != std::string::npos) return std::nullopt;
  std::vector<char> buffer(kRoom);
  Entry entry{};
  Entry* found = nullptr;
  if (find(name.c_str(), &entry, buffer.data(), buffer.size(), &found) != 0 || found == nullptr) return std::nullopt;
  return entry.*id;
}

}  // namespace

std::optional<uid_t> find_user(const std::string& name) { return look_up(name, &getpwnam_r, &passwd::pw_uid); }

std::optional<gid_t> find_group(const std::string& name) { return look_up(name, &getgrnam_r, &group::gr_gid); }

std::string user_name(uid_t user) {
  std::vector<char> buffer(kRoom);
  passwd entry{};
  passwd* found = nullptr;
  const bool known = getpwuid_r(user, &entry, buffer.data(), buffer.size(), &found) == 0 && found != nullptr;
  return known ? entry.pw_name : std::to_string(user);
}

}  // namespace fairfs::cli
