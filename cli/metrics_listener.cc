#include "cli/metrics_listener.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>

#include "cli/failure.h"

namespace fairfs::cli {
namespace {

/// Scrapers that come at once while others are answered.
constexpr int kListenBacklog = 128;

[[noreturn]] void fail(const MetricsAddress& address, int error) {
  throw failed(
      "metrics", to_text(address), error,
      error == EADDRINUSE ? "choose another address, or leave metrics out" : "name an address that can be used");
}

UniqueFd new_socket(const MetricsAddress& address, int family) {
  UniqueFd result{socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!result) fail(address, errno);
  return result;
}

/// Whether somebody listens on the socket at this path.
bool is_alive(const sockaddr_un& at) {
  const UniqueFd probe{socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  return connect(probe.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) == 0 || errno == EAGAIN;
}

UniqueFd listen_on_path(const MetricsAddress& address, const StatAccess& access) {
  sockaddr_un at{};
  at.sun_family = AF_UNIX;
  if (address.path.size() >= sizeof at.sun_path) fail(address, ENAMETOOLONG);
  address.path.copy(at.sun_path, address.path.size());
  UniqueFd result = new_socket(address, AF_UNIX);
  fchmod(result.get(), 0600);  // before bind: the file is never there with other permissions
  struct stat status {};
  const bool there = lstat(address.path.c_str(), &status) == 0;
  if (there && (!S_ISSOCK(status.st_mode) || is_alive(at))) fail(address, EADDRINUSE);
  if (there) unlink(address.path.c_str());
  if (bind(result.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0) fail(address, errno);
  const bool to_group = access.others == StatAccess::Others::group;
  if (to_group && lchown(address.path.c_str(), uid_t(-1), access.group) != 0) fail(address, errno);
  if (access.others == StatAccess::Others::none) return result;
  if (chmod(address.path.c_str(), to_group ? 0660 : 0666) != 0) fail(address, errno);
  return result;
}

UniqueFd listen_on_port(const MetricsAddress& address) {
  UniqueFd result = new_socket(address, address.is_v6 ? AF_INET6 : AF_INET);
  const int yes = 1;  // a port of ours that has just been closed
  setsockopt(result.get(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in v4{};
  v4.sin_family = AF_INET;
  v4.sin_port = htons(address.port);
  v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  sockaddr_in6 v6{};
  v6.sin6_family = AF_INET6;
  v6.sin6_port = htons(address.port);
  v6.sin6_addr = in6addr_loopback;
  const auto* const at =
      address.is_v6 ? reinterpret_cast<const sockaddr*>(&v6) : reinterpret_cast<const sockaddr*>(&v4);
  if (bind(result.get(), at, address.is_v6 ? sizeof v6 : sizeof v4) != 0) fail(address, errno);
  return result;
}

}  // namespace

UniqueFd metrics_listener(const MetricsAddress& address, const StatAccess& access) {
  UniqueFd result = address.path.empty() ? listen_on_port(address) : listen_on_path(address, access);
  if (listen(result.get(), kListenBacklog) != 0) fail(address, errno);
  return result;
}

}  // namespace fairfs::cli
