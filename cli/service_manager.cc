#include "cli/service_manager.h"

#include <spdlog/spdlog.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include "cli/text.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {
namespace {

/// A manager that doesn't read for so long is stuck; the mount goes on without it.
constexpr timeval kPatience{.tv_sec = 1, .tv_usec = 0};

/// 0 or an errno.
int send_to(const std::string& address, const std::string& words) {
  sockaddr_un name{};
  name.sun_family = AF_UNIX;
  if (address.size() > sizeof name.sun_path) return ENAMETOOLONG;
  std::memcpy(name.sun_path, address.data(), address.size());
  if (address.front() == '@') name.sun_path[0] = '\0';
  const UniqueFd socket{::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
  if (!socket || setsockopt(socket.get(), SOL_SOCKET, SO_SNDTIMEO, &kPatience, sizeof kPatience) != 0) return errno;
  // An abstract name is as long as it is said to be: no byte too many.
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
  const ssize_t sent =
      sendto(socket.get(), words.data(), words.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&name), length);
  return sent < 0 ? errno : 0;
}

}  // namespace

ServiceManager ServiceManager::of_environment() {
  ServiceManager manager;
  if (const char* const address = std::getenv("NOTIFY_SOCKET"); address != nullptr) {
    if (*address == '/' || *address == '@') manager.address_ = address;
    unsetenv("NOTIFY_SOCKET");
  }
  return manager;
}

void ServiceManager::ready(std::string_view status) const { say("READY=1\nSTATUS=" + printable(status)); }

void ServiceManager::stopping() const { say("STOPPING=1\nSTATUS=Ends when what is queued is done"); }

void ServiceManager::say(const std::string& words) const {
  if (address_.empty()) return;
  const int error = send_to(address_, words);
  if (error == 0) return;
  spdlog::warn("NOTIFY_SOCKET {}: {}; the service manager was not told {}", printable(address_),
               std::generic_category().message(error), words.substr(0, words.find('\n')));
}

}  // namespace fairfs::cli
