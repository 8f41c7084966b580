// Users and groups of this system by name.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

namespace fairfs::cli {

/// As the system's database (files, LDAP, ...) has it; nothing for a name that isn't known.
[[nodiscard]] std::optional<uid_t> find_user(const std::string& name);
[[nodiscard]] std::optional<gid_t> find_group(const std::string& name);
/// Its name, or its number where it has none.
[[nodiscard]] std::string user_name(uid_t user);

}  // namespace fairfs::cli
