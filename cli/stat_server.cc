#include "cli/stat_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cli/socket_path.h"
#include "cli/stat_client_state.h"
#include "cli/stubborn_thread.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// How often patience and the place are looked at, and how long to leave the listener alone when descriptors have run
/// out.
constexpr int kTick_ms = 1000;

}  // namespace

StatServer::StatServer(const std::string& directory, std::string name, LineHandler handler, StatAccess access,
                       std::function<bool()> is_due)
    : name_{std::move(name)},
      handler_{std::move(handler)},
      access_{access},
      path_{directory},
      is_due_{std::move(is_due)} {
  settle();
  end_ = UniqueFd{eventfd(0, EFD_CLOEXEC)};
  if (!end_) {
    throw std::system_error{errno, std::generic_category(), "control socket: " + directory + "/" + name_ + ": eventfd"};
  }
  thread_ = stubborn_thread([this] {
    clients_.clear();  // whose question failed would wait for its answer
    serve();
  });
}

StatServer::~StatServer() {
  eventfd_write(end_.get(), 1);
  thread_.join();
  if (is_in_place()) unlinkat(directory_.get(), name_.c_str(), 0);
  // In /tmp nobody takes it away at the end of a session; while another daemon's socket is there it stays.
  if (path_ == spare_socket_directory(geteuid())) rmdir(path_.c_str());
}

void StatServer::serve() {
  std::vector<pollfd> waiting;
  auto looked = Clock::now();
  for (;;) {
    const short listening = exhausted_ ? 0 : POLLIN;
    waiting.assign({pollfd{end_.get(), POLLIN, 0}, pollfd{listener_.get(), listening, 0}});
    for (const Client& client : clients_) {
      // A client that doesn't read its answer isn't asked for the next question.
      const short wanted = client.output.empty() ? POLLIN : POLLOUT;
      waiting.push_back({client.descriptor.get(), wanted, 0});
    }
    poll(waiting.data(), waiting.size(), kTick_ms);
    exhausted_ = false;
    if (waiting[0].revents != 0) return;
    const auto now = Clock::now();
    for (std::size_t i = 0; i < clients_.size(); ++i) {
      if (waiting[i + 2].revents != 0) advance(clients_[i]);
      clients_[i].gone |= now - clients_[i].last_move > kPatience;
      clients_[i].gone |= clients_[i].is_busy() && now - clients_[i].exchange_began > kExchangeMax;
    }
    std::erase_if(clients_, [](const Client& client) { return client.gone; });
    if (waiting[1].revents != 0) accept_clients();
    if (now - looked >= std::chrono::milliseconds{kTick_ms}) {
      looked = now;
      look_at_the_place();
    }
  }
}

void StatServer::accept_clients() {
  for (;;) {
    UniqueFd descriptor{accept4(listener_.get(), nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC)};
    if (!descriptor) {
      exhausted_ = errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS;
      return;
    }
    greet(std::move(descriptor));
  }
}

void StatServer::greet(UniqueFd descriptor) {
  ucred credentials{};
  socklen_t size = sizeof credentials;
  if (getsockopt(descriptor.get(), SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return;
  const StatPeer peer{credentials.uid, credentials.uid == 0 || credentials.uid == geteuid()};
  if (const std::string_view line = refusal(peer); !line.empty()) {
    send(descriptor.get(), line.data(), line.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    return;
  }
  Client client;
  client.descriptor = std::move(descriptor);
  client.peer = peer;
  client.last_move = client.exchange_began = Clock::now();
  clients_.push_back(std::move(client));
}

std::string_view StatServer::refusal(const StatPeer& peer) const {
  // Who of the group may connect is the file's mode to say.
  if (!peer.may_change && access_.others == StatAccess::Others::none) return "{\"error\":\"not for you\"}\n";
  const auto strangers = std::ranges::count_if(clients_, [](const Client& other) { return !other.peer.may_change; });
  if (clients_.size() >= kClientsMax || (!peer.may_change && static_cast<std::size_t>(strangers) >= kStrangersMax)) {
    return "{\"error\":\"too many others are asking already\"}\n";
  }
  return {};
}

void StatServer::advance(Client& client) {
  client.send();
  if (client.output.empty()) client.receive();
  std::string line;
  while (!client.gone && client.output.empty() && client.next_line(line)) {
    client.output = handler_(line, client.peer, client.keepsake) + "\n";
    client.exchange_began = Clock::now();
    client.send();
  }
  if (client.output.empty() && client.input.size() > kRequestMax) {
    client.input.clear();
    client.output = "{\"error\":\"a request has at most 4096 bytes\"}\n";
    client.closing = true;
    client.send();
  }
  client.gone |= client.closing && client.output.empty();
}

}  // namespace fairfs::cli
