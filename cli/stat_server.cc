#include "cli/stat_server.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "cli/socket_address.h"
#include "cli/socket_path.h"
#include "cli/stale_sockets.h"
#include "cli/stat_client_state.h"

namespace fairfs::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// Clients that connect at once while the thread answers another.
constexpr int kListenBacklog = 128;
/// How often patience and the place are looked at, and how long to leave the listener alone when descriptors have run
/// out.
constexpr int kTick_ms = 1000;

[[noreturn]] void fail(const std::string& what, const std::string& path, int error = errno) {
  throw std::system_error{error, std::generic_category(), "control socket: " + path + ": " + what};
}

UniqueFd open_directory(const std::string& path) {
  const mode_t mode = geteuid() == 0 ? 0755 : 0700;
  if (mkdir(path.c_str(), mode) != 0 && errno != EEXIST) fail("make directory", path);
  UniqueFd directory{open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)};
  struct stat status {};
  if (!directory || fstat(directory.get(), &status) != 0) fail("open directory", path);
  // Whoever can write there could put a socket of their own in our place.
  if (status.st_uid != geteuid() || (status.st_mode & 022) != 0) fail("others can write to the directory", path, EPERM);
  return directory;
}

}  // namespace

StatServer::StatServer(const std::string& directory, std::string name, LineHandler handler, StatAccess access,
                       std::function<bool()> is_due)
    : name_{std::move(name)},
      handler_{std::move(handler)},
      access_{access},
      path_{directory},
      is_due_{std::move(is_due)},
      directory_{open_directory(directory)} {
  remove_stale_sockets(directory_.get());
  listen();
  end_ = UniqueFd{eventfd(0, EFD_CLOEXEC)};
  if (!end_) fail("eventfd", directory + "/" + name_);
  thread_ = std::thread{[this] { serve(); }};
}

void StatServer::listen() {
  const std::string temporary = name_ + "." + std::to_string(getpid());
  const std::string path = path_ + "/" + name_;
  listener_ = UniqueFd{socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!listener_) fail("socket", path);
  fchmod(listener_.get(), 0600);  // before bind: the file is never there with other permissions
  unlinkat(directory_.get(), temporary.c_str(), 0);
  const sockaddr_un address = address_in(directory_.get(), temporary);
  if (bind(listener_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail("bind", path);
  open_to_others(temporary);
  if (::listen(listener_.get(), kListenBacklog) != 0) fail("listen", path);
  struct stat status {};
  // Renaming replaces a stale socket in one step: nobody finds none.
  if (fstatat(directory_.get(), temporary.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
      renameat(directory_.get(), temporary.c_str(), directory_.get(), name_.c_str()) != 0) {
    fail("rename", path);
  }
  inode_ = status.st_ino;
}

void StatServer::open_to_others(const std::string& path) {
  if (access_.others == StatAccess::Others::none) return;
  const bool to_all = access_.others == StatAccess::Others::all;
  if (!to_all && fchownat(directory_.get(), path.c_str(), uid_t(-1), access_.group, AT_SYMLINK_NOFOLLOW) != 0) {
    fail("give it to group " + std::to_string(access_.group), path);
  }
  // The directory is ours alone: what stands there is the socket we have just made.
  if (fchmodat(directory_.get(), path.c_str(), to_all ? 0666 : 0660, 0) != 0) fail("open to others", path);
}

StatServer::~StatServer() {
  eventfd_write(end_.get(), 1);
  thread_.join();
  if (is_in_place()) unlinkat(directory_.get(), name_.c_str(), 0);
  // In /tmp nobody takes it away at the end of a session; while another daemon's socket is there it stays.
  if (path_ == spare_socket_directory(geteuid())) rmdir(path_.c_str());
}

bool StatServer::is_in_place() const {
  struct stat status {};
  return fstatat(directory_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 && status.st_ino == inode_;
}

void StatServer::look_at_the_place() {
  if (is_in_place() || !is_due_()) return;
  try {
    listen();
  } catch (const std::system_error&) {
    // The directory is gone, as /run/user/UID is when its user has logged out: nobody could come there anyway.
  }
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
