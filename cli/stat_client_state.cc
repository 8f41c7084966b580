#include "cli/stat_client_state.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

namespace fairfs::cli {
namespace {

bool must_wait() { return errno == EAGAIN || errno == EINTR; }

}  // namespace

void StatServer::Client::receive() {
  std::array<char, kRequestMax> buffer{};
  const ssize_t count = recv(descriptor.get(), buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (count > 0) {
    if (input.empty()) exchange_began = std::chrono::steady_clock::now();
    input.append(buffer.data(), static_cast<std::size_t>(count));
    last_move = std::chrono::steady_clock::now();
  } else if (count == 0) {
    closing = true;
  } else if (!must_wait()) {
    gone = true;
  }
}

void StatServer::Client::send() {
  if (output.empty()) return;
  const ssize_t count =
      ::send(descriptor.get(), output.data() + sent, output.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (count > 0) {
    sent += static_cast<std::size_t>(count);
    if (sent == output.size()) {
      output.clear();
      sent = 0;
    }
    last_move = std::chrono::steady_clock::now();
  } else if (count < 0 && !must_wait()) {
    gone = true;
  }
}

bool StatServer::Client::next_line(std::string& line) {
  const auto end = input.find('\n');
  if (end == std::string::npos) return false;
  line = input.substr(0, end);
  input.erase(0, end + 1);
  return true;
}

}  // namespace fairfs::cli
