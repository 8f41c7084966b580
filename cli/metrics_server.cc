#include "cli/metrics_server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <utility>

#include "cli/failure.h"
#include "cli/openmetrics.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Scrapers that come at once while another is answered.
constexpr int kListenBacklog = 16;

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

/// Waits for the event until then.
bool ready(int descriptor, short event, Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  pollfd waiting{descriptor, event, 0};
  return left > 0 && poll(&waiting, 1, static_cast<int>(left)) == 1;
}

/// Up to the empty line; nothing if that doesn't come in time, or is too far.
std::string read_request(int client) {
  const auto until = Clock::now() + MetricsServer::kPatience;
  std::string request;
  std::array<char, 4096> buffer{};
  while (request.size() < MetricsServer::kRequestMax && ready(client, POLLIN, until)) {
    const ssize_t count = recv(client, buffer.data(), buffer.size(), 0);
    if (count <= 0) break;
    request.append(buffer.data(), static_cast<std::size_t>(count));
    if (request.find("\r\n\r\n") != std::string::npos || request.find("\n\n") != std::string::npos) return request;
  }
  return {};
}

std::string response(std::string_view status, std::string_view type, const std::string& body) {
  return "HTTP/1.0 " + std::string{status} + "\r\nContent-Type: " + std::string{type} +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

void send_all(int client, std::string_view text) {
  const auto until = Clock::now() + MetricsServer::kPatience;
  while (!text.empty() && ready(client, POLLOUT, until)) {
    const ssize_t count = send(client, text.data(), text.size(), MSG_NOSIGNAL);
    if (count <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(count));
  }
}

}  // namespace

MetricsServer::MetricsServer(const MetricsAddress& address, const StatAccess& access, std::function<std::string()> text)
    : address_{address}, text_{std::move(text)}, end_{eventfd(0, EFD_CLOEXEC)} {
  listener_ = address.path.empty() ? listen_on_port(address) : listen_on_path(address, access);
  if (!end_ || listen(listener_.get(), kListenBacklog) != 0) fail(address, errno);
  thread_ = std::thread{[this] { serve(); }};
}

MetricsServer::~MetricsServer() {
  eventfd_write(end_.get(), 1);
  thread_.join();
  if (!address_.path.empty()) unlink(address_.path.c_str());
}

void MetricsServer::serve() {
  std::array<pollfd, 2> waiting{pollfd{listener_.get(), POLLIN, 0}, pollfd{end_.get(), POLLIN, 0}};
  for (;;) {
    poll(waiting.data(), waiting.size(), -1);
    if (waiting[1].revents != 0) return;
    const UniqueFd client{accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (client) answer(client.get());
  }
}

void MetricsServer::answer(int client) {
  constexpr std::string_view kPlain = "text/plain; charset=utf-8";
  const std::string request = read_request(client);
  if (request.empty()) return;
  const auto path_start = request.find(' ') + 1;
  const std::string path = request.substr(path_start, request.find_first_of(" ?\r\n", path_start) - path_start);
  if (!request.starts_with("GET ")) return send_all(client, response("405 Method Not Allowed", kPlain, "only GET\n"));
  if (path != "/metrics" && path != "/") return send_all(client, response("404 Not Found", kPlain, "see /metrics\n"));
  send_all(client, response("200 OK", kOpenMetricsType, text_()));
}

}  // namespace fairfs::cli
