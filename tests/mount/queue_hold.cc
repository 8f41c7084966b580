#include "tests/mount/queue_hold.h"

#include <fcntl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "cli/socket_address.h"
#include "cli/socket_path.h"

namespace fairfs::test {

QueueHold::QueueHold(const std::filesystem::path& mountpoint) {
  const auto fail = [&] { throw std::system_error{errno, std::generic_category(), "holding " + mountpoint.string()}; };
  const std::string directory = cli::socket_directory(::geteuid());
  const UniqueFd folder{::open(directory.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  connection_ = UniqueFd{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  if (!folder || !connection_) fail();
  const sockaddr_un address =
      cli::address_in(folder.get(), cli::socket_name(std::filesystem::canonical(mountpoint.parent_path()).string() +
                                                     "/" + mountpoint.filename().string()));
  if (::connect(connection_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) fail();
  if (ask("{\"hold\":true}\n") != "{\"held\":true}\n") {
    errno = EPROTO;
    fail();
  }
}

QueueHold::~QueueHold() { ::shutdown(connection_.get(), SHUT_RDWR); }

std::string QueueHold::ask(const char* line) const {
  ::send(connection_.get(), line, std::strlen(line), MSG_NOSIGNAL);
  std::string answer;
  char piece[4096];
  while (!answer.ends_with('\n')) {
    const ssize_t length = ::recv(connection_.get(), piece, sizeof piece, 0);
    if (length <= 0) break;
    answer.append(piece, static_cast<std::size_t>(length));
  }
  return answer;
}

unsigned long QueueHold::number(const std::string& name) const {
  const std::string answer = ask("{\"get\":\"snapshot\"}\n");
  const std::string key = '"' + name + "\":";  // the last "queued" is the engine's own, those before are the flows'
  const auto place = answer.rfind(key);
  return place == answer.npos ? 0 : std::strtoul(answer.c_str() + place + key.size(), nullptr, 10);
}

}  // namespace fairfs::test
