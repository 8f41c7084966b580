// Where a mount's daemon listens for fairfs-stat.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fairfs::cli {

/// /run/fairfs for root; $XDG_RUNTIME_DIR/fairfs, or /run/user/UID/fairfs without that variable, for anybody else.
[[nodiscard]] std::string socket_directory(uid_t owner);
/// /tmp/fairfs-UID, for a user who has no runtime directory.
[[nodiscard]] std::string spare_socket_directory(uid_t owner);
/// Where a daemon of `owner` puts its sockets: the first of the two that can be made.
[[nodiscard]] std::string socket_directory_to_make(uid_t owner);
/// Where the socket of this mount is: in the first, or in the second if that is really the owner's; the first if in
/// neither.
[[nodiscard]] std::string socket_directory_with(uid_t owner, std::string_view mountpoint);

/// Name of the socket of the mount at the canonical path `mountpoint`: the path as systemd-escape --path writes it, cut
/// and made unique by a hash where it is longer than 72 bytes. Below 100 bytes, so that it fits sockaddr_un after
/// "/proc/self/fd/N/", whatever the directory is called.
[[nodiscard]] std::string socket_name(std::string_view mountpoint);

/// One line of /proc/self/mountinfo; of anything else, without a type.
struct MountLine {
  std::string mountpoint, type, source, super_options;
  std::uint64_t id = 0;  ///< the kernel's
};
[[nodiscard]] MountLine parse_mount_line(const std::string& line);

/// A mounted fairfs, from /proc/self/mountinfo.
struct Mount {
  std::string mountpoint, source;
  uid_t owner = 0;       ///< who mounted it: the daemon's user
  std::uint64_t id = 0;  ///< the kernel's
  bool operator==(const Mount&) const = default;
};
/// The fairfs lines of a mountinfo text, in the order of mounting.
[[nodiscard]] std::vector<Mount> parse_mounts(std::string_view mountinfo);
[[nodiscard]] std::vector<Mount> current_mounts();

/// The mountpoint that `path` (relative, or through symbolic links) means. Looks at nothing inside a mounted fairfs, so
/// that a dead or stuck daemon can't hold it: the directory above is resolved, and links at the end are followed by
/// reading them. Throws Failure when a directory above does not exist.
[[nodiscard]] std::string resolve_mountpoint(const std::string& path, const std::vector<Mount>& mounts);

}  // namespace fairfs::cli
