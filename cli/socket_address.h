// Addresses of Unix sockets whose path may be longer than the 108 bytes of sockaddr_un.
#pragma once

#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <string>
#include <system_error>

namespace fairfs::cli {

/// `name` below the open directory, by way of /proc: short whatever the directory is called. Throws std::system_error
/// (ENAMETOOLONG) for a name of more than about 80 bytes.
[[nodiscard]] inline sockaddr_un address_in(int directory, const std::string& name) {
  const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/" + name;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof address.sun_path) {
    throw std::system_error{ENAMETOOLONG, std::generic_category(), "socket " + name};
  }
  path.copy(address.sun_path, path.size());
  return address;
}

}  // namespace fairfs::cli
