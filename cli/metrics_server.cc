#include "cli/metrics_server.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cli/metrics_listener.h"
#include "cli/openmetrics.h"
#include "cli/stubborn_thread.h"

namespace fairfs::cli {
namespace {

/// How often patience is looked at, and how long to leave the listener alone when descriptors have run out.
constexpr int kTick_ms = 500;

bool must_wait() { return errno == EAGAIN || errno == EINTR; }

bool is_whole(std::string_view request) {
  return request.find("\r\n\r\n") != std::string_view::npos || request.find("\n\n") != std::string_view::npos;
}

std::string response(std::string_view status, std::string_view type, const std::string& body) {
  return "HTTP/1.0 " + std::string{status} + "\r\nContent-Type: " + std::string{type} +
         "\r\nContent-Length: " + std::to_string(body.size()) + "\r\nConnection: close\r\n\r\n" + body;
}

}  // namespace

MetricsServer::MetricsServer(const MetricsAddress& address, const StatAccess& access, std::function<std::string()> text)
    : address_{address},
      text_{std::move(text)},
      listener_{metrics_listener(address, access)},
      end_{eventfd(0, EFD_CLOEXEC)} {
  if (!end_) throw std::system_error{errno, std::generic_category(), "eventfd"};
  thread_ = stubborn_thread([this] {
    clients_.clear();  // whose question failed would wait for its answer
    serve();
  });
}

MetricsServer::~MetricsServer() {
  eventfd_write(end_.get(), 1);
  thread_.join();
  if (!address_.path.empty()) unlink(address_.path.c_str());
}

void MetricsServer::serve() {
  std::vector<pollfd> waiting;
  for (;;) {
    const short listening = exhausted_ ? 0 : POLLIN;
    waiting.assign({pollfd{end_.get(), POLLIN, 0}, pollfd{listener_.get(), listening, 0}});
    for (const Client& client : clients_) {
      const short wanted = client.output.empty() ? POLLIN : POLLOUT;
      waiting.push_back({client.descriptor.get(), wanted, 0});
    }
    poll(waiting.data(), waiting.size(), clients_.empty() && !exhausted_ ? -1 : kTick_ms);
    exhausted_ = false;
    if (waiting[0].revents != 0) return;
    const auto now = Clock::now();
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (waiting[i + 2].revents != 0) advance(clients_[i]);
      clients_[i].gone |= now > clients_[i].until;
    }
    std::erase_if(clients_, [](const Client& client) { return client.gone; });
    if (waiting[1].revents != 0) accept_clients();
  }
}

void MetricsServer::accept_clients() {
  for (std::size_t i = 0; i < kClientsMax; ++i) {
    UniqueFd descriptor{accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (!descriptor) {
      exhausted_ = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
      return;
    }
    if (clients_.size() == kClientsMax) clients_.erase(clients_.begin());
    Client& client = clients_.emplace_back();
    client.descriptor = std::move(descriptor);
    client.until = Clock::now() + kPatience;
    advance(client);  // its question is mostly there already
    if (client.gone) clients_.pop_back();
  }
}

void MetricsServer::receive(Client& client) {
  std::array<char, 4096> buffer{};
  const ssize_t count = recv(client.descriptor.get(), buffer.data(), buffer.size(), 0);
  if (count <= 0) {
    client.gone = count == 0 || !must_wait();
    return;
  }
  client.input.append(buffer.data(), static_cast<std::size_t>(count));
  if (is_whole(client.input)) {
    client.output = answer(client.input);
  } else {
    client.gone = client.input.size() >= kRequestMax;
  }
}

void MetricsServer::advance(Client& client) {
  if (client.output.empty()) receive(client);
  if (client.output.empty()) return;
  const ssize_t count = send(client.descriptor.get(), client.output.data() + client.sent,
                             client.output.size() - client.sent, MSG_NOSIGNAL);
  if (count > 0) client.sent += static_cast<std::size_t>(count);
  client.gone |= client.sent == client.output.size() || (count < 0 && !must_wait());
}

std::string MetricsServer::answer(std::string_view request) {
  constexpr std::string_view kPlain = "text/plain; charset=utf-8";
  const auto path_start = request.find(' ') + 1;
  const auto path = request.substr(path_start, request.find_first_of(" ?\r\n", path_start) - path_start);
  if (!request.starts_with("GET ")) return response("405 Method Not Allowed", kPlain, "only GET\n");
  if (path != "/metrics" && path != "/") return response("404 Not Found", kPlain, "see /metrics\n");
  if (const auto now = Clock::now(); kept_.empty() || now - kept_since_ > kKept) {
    kept_ = response("200 OK", kOpenMetricsType, text_());
    kept_since_ = now;
  }
  return kept_;
}

}  // namespace fairfs::cli
