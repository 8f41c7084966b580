#include "cli/metrics_server.h"

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <atomic>
#include <filesystem>
#include <vector>

#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

class MetricsServer : public testing::Test {
 protected:
  TemporaryDirectory folder;
  const std::string path = folder.path("m");
  const cli::MetricsAddress address{path, false, 0};

  static std::string text() { return "# EOF\n"; }

  cli::UniqueFd connected() const {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    cli::UniqueFd result{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    EXPECT_EQ(connect(result.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
    return result;
  }
  static std::string all_of(int descriptor) {
    std::string text;
    std::array<char, 4096> buffer{};
    pollfd waiting{descriptor, POLLIN, 0};
    while (poll(&waiting, 1, 10'000) == 1) {
      const ssize_t count = recv(descriptor, buffer.data(), buffer.size(), 0);
      if (count <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  std::string asked(std::string_view request) const {
    const cli::UniqueFd client = connected();
    send(client.get(), request.data(), request.size(), MSG_NOSIGNAL);
    return all_of(client.get());
  }
};

TEST_F(MetricsServer, AnswersAScraper) {
  const cli::MetricsServer server{address, {}, &text};
  const std::string answer = asked("GET /metrics HTTP/1.1\r\nHost: x\r\nAccept: */*\r\n\r\n");
  EXPECT_THAT(answer, StartsWith("HTTP/1.0 200 OK\r\nContent-Type: application/openmetrics-text; version=1.0.0; "));
  EXPECT_THAT(answer, HasSubstr("\r\nContent-Length: 6\r\n"));
  EXPECT_THAT(answer, EndsWith("\r\n\r\n# EOF\n"));
  EXPECT_THAT(asked("GET /metrics?x=1 HTTP/1.0\n\n"), StartsWith("HTTP/1.0 200"));
  EXPECT_THAT(asked("GET /other HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.0 404"));
  EXPECT_THAT(asked("POST /metrics HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.0 405"));
  EXPECT_EQ(asked("GET /" + std::string(20'000, 'x')), "") << "too much is no question";
}

TEST_F(MetricsServer, ThoseThatSayNothingHoldNobody) {
  const cli::MetricsServer server{address, {}, &text};
  std::vector<cli::UniqueFd> silent;
  for (std::size_t i = 0; i < 2 * cli::MetricsServer::kClientsMax; ++i) {
    silent.push_back(connected());
    if (i % 2 == 0) send(silent.back().get(), "GET ", 4, MSG_NOSIGNAL);
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_THAT(asked("GET / HTTP/1.1\r\n\r\n"), StartsWith("HTTP/1.0 200"));
  EXPECT_LT(std::chrono::steady_clock::now() - start, cli::MetricsServer::kPatience / 2) << "nobody's patience";
  EXPECT_EQ(all_of(silent.front().get()), "") << "the first ones gave way to the last";
}

TEST_F(MetricsServer, AsksForTheTextOnceForMany) {
  std::atomic<int> times{0};
  const cli::MetricsServer server{address, {}, [&times] { return std::to_string(++times) + "\n# EOF\n"; }};
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < 50; ++i) EXPECT_THAT(asked("GET / HTTP/1.1\r\n\r\n"), EndsWith("# EOF\n"));
  EXPECT_LE(times, 1 + (std::chrono::steady_clock::now() - start) / cli::MetricsServer::kKept);
}

TEST_F(MetricsServer, TheSocketIsForWhomItIs) {
  const auto mode = [&](cli::StatAccess access) {
    const cli::MetricsServer server{address, access, &text};
    struct stat status {};
    EXPECT_EQ(stat(path.c_str(), &status), 0);
    return status.st_mode & 0777;
  };
  EXPECT_EQ(mode({}), 0600U);
  EXPECT_EQ(mode({cli::StatAccess::Others::all, 0}), 0666U);
  EXPECT_EQ(mode({cli::StatAccess::Others::group, getegid()}), 0660U);
  EXPECT_FALSE(std::filesystem::exists(path)) << "it leaves nothing behind";
}

TEST_F(MetricsServer, ReplacesADeadSocketAndNothingElse) {
  const auto complaint = [&] {
    return failure_of([&] { const cli::MetricsServer server{address, {}, &text}; }).second;
  };
  {
    const cli::MetricsServer server{address, {}, &text};
    EXPECT_EQ(complaint(),
              "metrics: unix:" + path + ": Address already in use; choose another address, or leave metrics out");
  }
  {
    sockaddr_un at{};
    at.sun_family = AF_UNIX;
    path.copy(at.sun_path, sizeof at.sun_path - 1);
    const cli::UniqueFd dead{socket(AF_UNIX, SOCK_STREAM, 0)};
    ASSERT_EQ(bind(dead.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  }
  EXPECT_EQ(complaint(), "");
  folder.write("m", "precious");
  EXPECT_THAT(complaint(), HasSubstr("Address already in use"));
  EXPECT_TRUE(std::filesystem::is_regular_file(path));
}

TEST_F(MetricsServer, APortIsOfThisMachineAlone) {
  // A port that is free now: the kernel picks it, we take it over.
  cli::UniqueFd picker{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  sockaddr_in at{};
  at.sin_family = AF_INET;
  at.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof at;
  ASSERT_EQ(bind(picker.get(), reinterpret_cast<const sockaddr*>(&at), size), 0);
  ASSERT_EQ(getsockname(picker.get(), reinterpret_cast<sockaddr*>(&at), &size), 0);
  picker.reset();
  const cli::MetricsServer server{{"", false, ntohs(at.sin_port)}, {}, &text};
  const cli::UniqueFd client{socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  ASSERT_EQ(connect(client.get(), reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  constexpr std::string_view kQuestion = "GET /metrics HTTP/1.1\r\n\r\n";
  send(client.get(), kQuestion.data(), kQuestion.size(), MSG_NOSIGNAL);
  EXPECT_THAT(all_of(client.get()), EndsWith("# EOF\n"));
}

}  // namespace
}  // namespace fairfs::test
