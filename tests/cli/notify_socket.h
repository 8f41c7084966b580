// What a service manager listens on, and NOTIFY_SOCKET that names it.
#pragma once

#include <gtest/gtest.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <array>
#include <cstddef>
#include <cstring>
#include <string>

#include "cli/unique_fd.h"

namespace fairfs::test {

class NotifySocket {
 public:
  /// `address` as in the variable: a path, or an abstract name behind an @.
  explicit NotifySocket(const std::string& address) {
    sockaddr_un name{};
    name.sun_family = AF_UNIX;
    std::memcpy(name.sun_path, address.data(), address.size());
    if (address.front() == '@') name.sun_path[0] = '\0';
    const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + address.size());
    EXPECT_EQ(bind(socket_.get(), reinterpret_cast<const sockaddr*>(&name), length), 0) << address;
    setenv("NOTIFY_SOCKET", address.c_str(), 1);
  }
  NotifySocket(const NotifySocket&) = delete;
  NotifySocket& operator=(const NotifySocket&) = delete;
  ~NotifySocket() { unsetenv("NOTIFY_SOCKET"); }

  /// The next message, or nothing when none has come within `limit_ms`.
  [[nodiscard]] std::string hear(int limit_ms = 20'000) const {
    pollfd waiting{socket_.get(), POLLIN, 0};
    if (poll(&waiting, 1, limit_ms) <= 0) return {};
    std::array<char, 4096> buffer{};
    const ssize_t count = recv(socket_.get(), buffer.data(), buffer.size(), 0);
    return {buffer.data(), count < 0 ? 0 : static_cast<std::size_t>(count)};
  }
  /// Whatever is there now.
  [[nodiscard]] std::string hear_now() const { return hear(0); }

 private:
  const cli::UniqueFd socket_{socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0)};
};

}  // namespace fairfs::test
