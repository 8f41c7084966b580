#include "cli/stat_server.h"

#include <fcntl.h>
#include <grp.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <thread>

#include "cli/socket_address.h"
#include "cli/socket_path.h"
#include "cli/stat_client.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

/// A client that says what it likes. Waits at most ten seconds for anything.
class RawClient {
 public:
  RawClient(const std::string& directory, const std::string& name)
      : socket_{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
    const cli::UniqueFd folder{open(directory.c_str(), O_PATH | O_CLOEXEC)};
    const sockaddr_un address = cli::address_in(folder.get(), name);
    connected = connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }
  bool say(std::string_view text) {
    return send(socket_.get(), text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size());
  }
  /// Up to a line feed, or what came before the end.
  std::string hear() {
    std::string text;
    pollfd waiting{socket_.get(), POLLIN, 0};
    std::array<char, 65536> buffer{};
    while (!text.ends_with('\n') && poll(&waiting, 1, 10'000) == 1) {
      const ssize_t count = recv(socket_.get(), buffer.data(), buffer.size(), 0);
      if (count <= 0) break;
      text.append(buffer.data(), static_cast<std::size_t>(count));
    }
    return text;
  }
  bool connected = false;

 private:
  cli::UniqueFd socket_;
};

class StatServer : public testing::Test {
 protected:
  static std::string echo(std::string_view line, const cli::StatPeer&, cli::Keepsake&) {
    return "<" + std::string{line} + ">";
  }
  TemporaryDirectory folder;
  std::string directory = folder.path("run");
  std::unique_ptr<cli::StatServer> server = std::make_unique<cli::StatServer>(directory, "s", &echo);
};

TEST_F(StatServer, IsTheOwnersAlone) {
  struct stat status {};
  ASSERT_EQ(stat((directory + "/s").c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600U);
  EXPECT_TRUE(S_ISSOCK(status.st_mode));
  ASSERT_EQ(stat(directory.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 022, 0U);
}

/// A socket at which somebody listens for as long as the result lives; the file stays.
cli::UniqueFd listening(const std::string& directory, const std::string& name) {
  const cli::UniqueFd folder{open(directory.c_str(), O_PATH | O_CLOEXEC)};
  const sockaddr_un address = cli::address_in(folder.get(), name);
  cli::UniqueFd result{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  EXPECT_EQ(bind(result.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  EXPECT_EQ(listen(result.get(), 1), 0);
  return result;
}

// A daemon that is killed leaves its socket, and a machine that runs for long had hundreds.
TEST_F(StatServer, TakesAwayWhatKilledOnesLeft) {
  const pid_t ended = fork();
  if (ended == 0) _exit(0);
  ASSERT_EQ(waitpid(ended, nullptr, 0), ended);
  const std::string half = "half.sock." + std::to_string(ended), own = "own.sock." + std::to_string(getpid());
  { const cli::UniqueFd killed = listening(directory, "killed.sock"), beginner = listening(directory, half); }
  { const cli::UniqueFd other = listening(directory, "of-another-kind"), mine = listening(directory, own); }
  const cli::UniqueFd alive = listening(directory, "alive.sock");
  std::ofstream{directory + "/file.sock"} << "no socket";
  const cli::StatServer second{directory, "second.sock", &echo};
  const auto is_there = [this](const std::string& name) { return std::filesystem::exists(directory + "/" + name); };
  EXPECT_FALSE(is_there("killed.sock"));
  EXPECT_FALSE(is_there(half));
  for (const std::string& name : {std::string{"alive.sock"}, std::string{"of-another-kind"}, own,
                                  std::string{"file.sock"}, std::string{"second.sock"}, std::string{"s"}}) {
    EXPECT_TRUE(is_there(name)) << name;
  }
  EXPECT_TRUE((RawClient{directory, "second.sock"}.connected));
}

// A package that is purged leaves nothing in /tmp.
TEST_F(StatServer, TheLastOneTakesTheDirectoryInTmpAway) {
  const std::string spare = cli::spare_socket_directory(geteuid());
  if (std::filesystem::exists(spare)) GTEST_SKIP() << spare << " is in use";
  auto first = std::make_unique<cli::StatServer>(spare, "first", &echo);
  auto second = std::make_unique<cli::StatServer>(spare, "second", &echo);
  first.reset();
  EXPECT_TRUE((RawClient{spare, "second"}.connected));
  second.reset();
  EXPECT_FALSE(std::filesystem::exists(spare));
  server.reset();
  EXPECT_TRUE(std::filesystem::exists(directory)) << "others belong to the session, or to the package";
}

TEST_F(StatServer, PutsHalfMessagesTogether) {
  RawClient client{directory, "s"};
  ASSERT_TRUE(client.say("one\ntw"));
  EXPECT_EQ(client.hear(), "<one>\n");
  ASSERT_TRUE(client.say("o\nthree\nfour\n"));
  std::string rest = client.hear();
  while (rest.find("four") == std::string::npos) {
    const std::string more = client.hear();
    ASSERT_FALSE(more.empty());
    rest += more;
  }
  EXPECT_EQ(rest, "<two>\n<three>\n<four>\n");
}

TEST_F(StatServer, TurnsOversizeMessagesAway) {
  RawClient client{directory, "s"};
  ASSERT_TRUE(client.say(std::string(5000, 'x')));
  EXPECT_EQ(client.hear(), "{\"error\":\"a request has at most 4096 bytes\"}\n");
  EXPECT_EQ(client.hear(), "");  // and hangs up
  RawClient next{directory, "s"};
  ASSERT_TRUE(next.say("still here\n"));
  EXPECT_EQ(next.hear(), "<still here>\n");
}

TEST_F(StatServer, OfAHundredClientsSixtyFourAreServed) {
  std::vector<std::unique_ptr<RawClient>> clients;
  int served = 0, refused = 0;
  for (int i = 0; i < 100; ++i) {
    auto& client = *clients.emplace_back(std::make_unique<RawClient>(directory, "s"));
    ASSERT_TRUE(client.connected);
    (void)client.say("hello\n");  // fails where it was turned away already
    const std::string answer = client.hear();
    if (answer == "<hello>\n") ++served;
    // The line is lost when our words arrived after the other side had hung up.
    if (answer.empty() || answer == "{\"error\":\"too many others are asking already\"}\n") ++refused;
  }
  EXPECT_EQ(served, 64);
  EXPECT_EQ(refused, 36);
  clients.clear();
  RawClient later{directory, "s"};
  std::string answer;
  // The places are free once the server has seen them leave, at the latest when it has waited its patience out.
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (answer != "<hello>\n" && std::chrono::steady_clock::now() < latest) {
    RawClient again{directory, "s"};
    (void)again.say("hello\n");
    answer = again.hear();
  }
  EXPECT_EQ(answer, "<hello>\n");
}

TEST_F(StatServer, OneThatDoesNotReadDoesNotHoldTheOthers) {
  cli::StatServer large{directory, "large", [](std::string_view, const cli::StatPeer&, cli::Keepsake&) {
                          return std::string(std::size_t{8} << 20, 'y');
                        }};
  RawClient slow{directory, "large"}, quick{directory, "large"};
  ASSERT_TRUE(slow.say("give\n"));
  ASSERT_TRUE(quick.say("give\n"));
  EXPECT_EQ(quick.hear().size(), (std::size_t{8} << 20) + 1);
  EXPECT_EQ(slow.hear().size(), (std::size_t{8} << 20) + 1);
}

TEST_F(StatServer, ReplacesAStaleSocketAndRemovesItsOwn) {
  const std::string path = directory + "/s";
  auto second = std::make_unique<cli::StatServer>(
      directory, "s", [](std::string_view, const cli::StatPeer&, cli::Keepsake&) { return "second"; });
  server.reset();  // the first one's end must not take the second one's socket away
  RawClient client{directory, "s"};
  ASSERT_TRUE(client.say("x\n"));
  EXPECT_EQ(client.hear(), "second\n");
  second.reset();
  EXPECT_FALSE(std::filesystem::exists(path));
  EXPECT_TRUE(std::filesystem::is_empty(directory));
}

TEST_F(StatServer, RefusesADirectoryOthersCanWriteTo) {
  const std::string open_to_all = folder.path("open");
  ASSERT_EQ(mkdir(open_to_all.c_str(), 0700), 0);
  ASSERT_EQ(chmod(open_to_all.c_str(), 0777), 0);
  EXPECT_THROW((cli::StatServer{open_to_all, "s", &echo}), std::system_error);
}

TEST_F(StatServer, AnswersTheClientOverALongPath) {
  const std::string deep = folder.path(std::string(200, 'd'));
  const std::string mountpoint = "/" + std::string(3000, 'm') + "/mnt";
  const cli::StatServer real{deep, cli::socket_name(mountpoint), &echo};
  EXPECT_EQ(cli::ask_line({deep, mountpoint}, "hello"), "<hello>");
}

TEST_F(StatServer, WhoIsTurnedAwayBeforeTheQuestionHearsWhy) {
  const cli::UniqueFd at{open(directory.c_str(), O_PATH | O_CLOEXEC)};
  const cli::UniqueFd listener{socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
  const sockaddr_un address = cli::address_in(at.get(), cli::socket_name("/full"));
  ASSERT_EQ(bind(listener.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  ASSERT_EQ(listen(listener.get(), 1), 0);
  cli::StatConnection client{{directory, "/full"}};
  {
    const cli::UniqueFd peer{accept(listener.get(), nullptr, nullptr)};
    constexpr std::string_view kRefusal = "{\"error\":\"full\"}\n";
    ASSERT_EQ(send(peer.get(), kRefusal.data(), kRefusal.size(), 0), static_cast<ssize_t>(kRefusal.size()));
  }
  EXPECT_EQ(client.ask("x"), "{\"error\":\"full\"}");
}

TEST_F(StatServer, ClientNamesWhatIsWrong) {
  const auto line = [&](const std::string& where) {
    return failure_of([&] { (void)cli::ask_line({where, "/mnt"}, "x"); });
  };
  using Expected = std::pair<int, std::string>;
  const Expected none{1, "stat: /mnt: no fairfs of yours is mounted here; name the mountpoint of a running fairfs"};
  EXPECT_EQ(line(folder.path("no")), none);
  EXPECT_EQ(line(directory), none);
  // A socket whose daemon is gone: bound once, listening no more.
  const cli::UniqueFd folder_fd{open(directory.c_str(), O_PATH | O_CLOEXEC)};
  {
    const cli::UniqueFd dead{socket(AF_UNIX, SOCK_STREAM, 0)};
    const sockaddr_un address = cli::address_in(folder_fd.get(), cli::socket_name("/mnt"));
    ASSERT_EQ(bind(dead.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  EXPECT_EQ(line(directory), Expected(1,
                                      "stat: /mnt: its daemon is gone (Connection refused); start fairfs on it "
                                      "again, which takes the dead mount away"));
}

/// Runs `body` as nobody in a child process and answers what it answers (0..255).
int as_nobody(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    const bool changed = setgroups(0, nullptr) == 0 && setgid(65534) == 0 && setuid(65534) == 0;
    _exit(changed ? body() : 255);
  }
  int status = 0;
  return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : 255;
}

class StatServerOthers : public StatServer {
 protected:
  void SetUp() override {
    if (geteuid() != 0) GTEST_SKIP() << "needs root to become somebody else";
    ASSERT_EQ(chmod(folder.path().c_str(), 0755), 0);
  }
  static std::string rights(std::string_view, const cli::StatPeer& peer, cli::Keepsake&) {
    return std::to_string(peer.uid) + (peer.may_change ? " may" : " may not");
  }
  std::string asked_by_nobody(const std::string& name) const {
    const std::string file = folder.write("heard", "");
    EXPECT_EQ(chmod(file.c_str(), 0666), 0);
    const int status = as_nobody([&] {
      RawClient client{directory, name};
      if (!client.connected) return 1;
      (void)client.say("x\n");
      std::ofstream{file} << client.hear();
      return 0;
    });
    if (status != 0) return "can't connect";
    std::ifstream heard{file};
    return {std::istreambuf_iterator<char>{heard}, {}};
  }
};

TEST_F(StatServerOthers, AreKeptOutUnlessAccessSaysOtherwise) {
  using Others = cli::StatAccess::Others;
  const cli::StatServer closed{directory, "closed", &rights};
  EXPECT_EQ(asked_by_nobody("closed"), "can't connect");
  // Whoever opens the file by hand still meets the server's own look at who asks.
  ASSERT_EQ(chmod((directory + "/closed").c_str(), 0666), 0);
  EXPECT_EQ(asked_by_nobody("closed"), "{\"error\":\"not for you\"}\n");
  const cli::StatServer all{directory, "all", &rights, {Others::all}};
  EXPECT_EQ(asked_by_nobody("all"), "65534 may not\n");
  const cli::StatServer theirs{directory, "theirs", &rights, {Others::group, 65534}};
  EXPECT_EQ(asked_by_nobody("theirs"), "65534 may not\n");
  const cli::StatServer other_group{directory, "others", &rights, {Others::group, 7}};
  EXPECT_EQ(asked_by_nobody("others"), "can't connect");
  RawClient root{directory, "others"};
  ASSERT_TRUE(root.say("x\n"));
  EXPECT_EQ(root.hear(), "0 may\n");
}

TEST_F(StatServerOthers, HalfOfThePlacesAreNotForThem) {
  const cli::StatServer all{directory, "all", &rights, {cli::StatAccess::Others::all}};
  const int served = as_nobody([&] {
    std::vector<std::unique_ptr<RawClient>> clients;
    int count = 0;
    for (int i = 0; i < 40; ++i) {
      auto& client = *clients.emplace_back(std::make_unique<RawClient>(directory, "all"));
      (void)client.say("x\n");
      count += client.hear() == "65534 may not\n" ? 1 : 0;
    }
    return count;
  });
  EXPECT_EQ(served, 32);
}

// The last one to end takes the spare directory away, and met those who were about to put their socket there.
TEST(StatServers, ThatComeAndGoInTheSpareDirectoryDoNotMeet) {
  const std::string spare = cli::spare_socket_directory(geteuid());
  const auto come_and_go = [&](const std::string& name) {
    for (int i = 0; i < 1000; ++i) {
      const cli::StatServer server{spare, name, [](auto, const auto&, auto&) { return std::string{}; }};
    }
  };
  std::thread other{[&] { EXPECT_NO_THROW(come_and_go("race_test_1")); }};
  EXPECT_NO_THROW(come_and_go("race_test_2"));
  other.join();
}

// Of two mounts over one another the upper one ended first and took the directory along: the lower was not found again.
TEST(StatServers, TheOneThatIsLeftMakesTheSpareDirectoryAnew) {
  const std::string spare = cli::spare_socket_directory(geteuid()), name = "lower_test";
  const auto says = [](const char* what) { return [what](auto, const auto&, auto&) { return std::string{what}; }; };
  const cli::StatServer lower{spare, name, says("lower"), {}, [] { return true; }};
  { const cli::StatServer upper{spare, name, says("upper")}; }
  std::string heard;
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{10};
  while (heard != "lower\n" && std::chrono::steady_clock::now() < until) {
    RawClient client{spare, name};
    if (client.connected && client.say("who?\n")) heard = client.hear();
    poll(nullptr, 0, 10);
  }
  EXPECT_EQ(heard, "lower\n");
}

}  // namespace
}  // namespace fairfs::test
