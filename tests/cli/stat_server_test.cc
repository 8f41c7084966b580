#include "cli/stat_server.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <memory>

#include "cli/socket_address.h"
#include "cli/socket_path.h"
#include "cli/stat_client.h"
#include "cli/stat_protocol.h"
#include "tests/cli/failure_of.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

engine::Snapshot sample(sched::Duration taken) {
  engine::Snapshot snapshot;
  snapshot.taken = sched::Time{taken};
  snapshot.depth = 16;
  snapshot.in_flight = 2;
  snapshot.queued = 3;
  snapshot.slowness = 2.5;
  snapshot.device_busy = 4s;
  snapshot.device_time = 5s;
  snapshot.decisions = 6;
  snapshot.decision_time = 7us;
  engine::FlowReading flow;
  flow.key = ~0ULL;
  flow.name = "fio[9]";
  flow.command = "fi\xffo";
  flow.pid = 9;
  flow.cgroup = "/a b";
  flow.uid = 1000;
  flow.weight = 42;
  flow.share_due = 0.125;
  flow.queued = 1;
  flow.in_flight = 2;
  flow.counters = {.reads = 1,
                   .read_bytes = 1ULL << 60,
                   .writes = 3,
                   .write_bytes = 4,
                   .written_behind = 11,
                   .syncs = 5,
                   .cached = 6,
                   .metadata = 7,
                   .device_time = 8s,
                   .backlogged = 9s,
                   .active = 10s,
                   .throttled = 12s,
                   .wait = {},
                   .service = {},
                   .sync = {}};
  flow.counters.sync.add(7ms);
  flow.dirty_bytes = 13;
  flow.writing_bytes = 14;
  for (const auto wait : {1us, 1ms / 1us * 1us, 3600s / 1us * 1us}) flow.counters.wait.add(wait);
  snapshot.flows.push_back(flow);
  return snapshot;
}

cli::StatSource source() {
  return {{.version = "1", .mountpoint = "/mnt", .source = "/data", .scheduling = false, .readings = {}},
          [] { return sample(1s); },
          [] {
            return std::pair{sample(1s), sample(2s)};
          },
          {}};
}

std::string answer(std::string_view request) {
  cli::Keepsake kept;
  return cli::answer(request, source(), kept);
}

TEST(StatProtocol, HoldLastsAsLongAsItIsKept) {
  bool held = false;
  cli::StatSource held_source = source();
  held_source.hold = [&held] {
    held = true;
    return cli::Keepsake{&held, [](bool* let_go) { *let_go = false; }};
  };
  {
    cli::Keepsake kept;
    EXPECT_EQ(cli::answer(R"({"hold":true})", held_source, kept), R"({"held":true})");
    EXPECT_TRUE(held);
    EXPECT_EQ(cli::answer(R"({"hold":false})", held_source, kept), R"({"held":false})");
    EXPECT_FALSE(held);
    EXPECT_EQ(cli::answer(R"({"hold":true})", held_source, kept), R"({"held":true})");
  }
  EXPECT_FALSE(held);
}

TEST(StatProtocol, SnapshotArrivesAsItWasSent) {
  const auto reply = cli::parse_reply(answer(R"({"get":"snapshot"})"));
  EXPECT_EQ(reply.version, "1");
  EXPECT_EQ(reply.mountpoint, "/mnt");
  EXPECT_EQ(reply.source, "/data");
  EXPECT_FALSE(reply.scheduling);
  ASSERT_EQ(reply.readings.size(), 1U);
  const auto sent = sample(1s);
  const auto& got = reply.readings[0];
  EXPECT_EQ(got.taken, sent.taken);
  EXPECT_EQ(got.depth, 16U);
  EXPECT_EQ(got.in_flight, 2U);
  EXPECT_EQ(got.queued, 3U);
  EXPECT_EQ(got.slowness, 2.5);
  EXPECT_EQ(got.device_busy, sent.device_busy);
  EXPECT_EQ(got.device_time, sent.device_time);
  EXPECT_EQ(got.decisions, 6U);
  EXPECT_EQ(got.decision_time, sent.decision_time);
  ASSERT_EQ(got.flows.size(), 1U);
  const auto &flow = got.flows[0], &original = sent.flows[0];
  EXPECT_EQ(flow.key, ~0ULL);
  EXPECT_EQ(flow.name, "fio[9]");
  EXPECT_EQ(flow.command, "fi\xef\xbf\xbdo");  // what is not UTF-8 becomes U+FFFD
  EXPECT_EQ(flow.pid, 9);
  EXPECT_EQ(flow.cgroup, "/a b");
  EXPECT_EQ(flow.uid, 1000U);
  EXPECT_EQ(flow.weight, 42);
  EXPECT_EQ(flow.share_due, 0.125);
  EXPECT_EQ(flow.queued, 1U);
  EXPECT_EQ(flow.in_flight, 2U);
  EXPECT_EQ(flow.counters.read_bytes, 1ULL << 60);
  EXPECT_EQ(flow.counters.writes, 3U);
  EXPECT_EQ(flow.counters.write_bytes, 4U);
  EXPECT_EQ(flow.counters.syncs, 5U);
  EXPECT_EQ(flow.counters.cached, 6U);
  EXPECT_EQ(flow.counters.metadata, 7U);
  EXPECT_EQ(flow.counters.device_time, 8s);
  EXPECT_EQ(flow.counters.backlogged, 9s);
  EXPECT_EQ(flow.counters.active, 10s);
  EXPECT_EQ(flow.counters.written_behind, 11U);
  EXPECT_EQ(flow.counters.throttled, 12s);
  EXPECT_EQ(flow.counters.sync.samples(), 1U);
  EXPECT_EQ(flow.dirty_bytes, 13U);
  EXPECT_EQ(flow.writing_bytes, 14U);
  EXPECT_EQ(flow.counters.wait.buckets(), original.counters.wait.buckets());
  EXPECT_EQ(flow.counters.wait.samples(), 3U);
  EXPECT_EQ(flow.counters.service.samples(), 0U);
}

TEST(StatProtocol, TheLastSecondHasTwoReadings) {
  const auto reply = cli::parse_reply(answer(cli::to_line(cli::StatRequest::second)));
  ASSERT_EQ(reply.readings.size(), 2U);
  EXPECT_EQ(reply.readings[1].taken - reply.readings[0].taken, 1s);
}

TEST(StatProtocol, NonsenseIsAnsweredWithAnError) {
  for (const char* request :
       {"", "nonsense", "[]", "3", "{}", R"({"get":3})", R"({"get":"everything"})", "{\"get\":"}) {
    EXPECT_EQ(answer(request), R"({"error":"ask {\"get\":\"snapshot\"} or {\"get\":\"second\"}"})") << request;
  }
  for (const char* reply : {"", "3", "{}", R"({"error":"x"})", R"({"version":1})"}) {
    EXPECT_THROW((void)cli::parse_reply(reply), std::runtime_error) << reply;
  }
  EXPECT_THROW(
      (void)cli::parse_reply(R"({"version":"","mountpoint":"","source":"","scheduling":true,"readings":[{}]})"),
      std::runtime_error);
}

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
  static std::string echo(std::string_view line, cli::Keepsake&) { return "<" + std::string{line} + ">"; }
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
    if (answer.empty() || answer == "{\"error\":\"64 others are asking already\"}\n") ++refused;
  }
  EXPECT_EQ(served, 64);
  EXPECT_EQ(refused, 36);
  clients.clear();
  RawClient later{directory, "s"};
  std::string answer;
  // The places are free once the server has seen them leave, at the latest when it has waited its patience out.
  for (int attempt = 0; attempt < 1000 && answer != "<hello>\n"; ++attempt) {
    RawClient again{directory, "s"};
    (void)again.say("hello\n");
    answer = again.hear();
  }
  EXPECT_EQ(answer, "<hello>\n");
}

TEST_F(StatServer, OneThatDoesNotReadDoesNotHoldTheOthers) {
  cli::StatServer large{directory, "large",
                        [](std::string_view, cli::Keepsake&) { return std::string(std::size_t{8} << 20, 'y'); }};
  RawClient slow{directory, "large"}, quick{directory, "large"};
  ASSERT_TRUE(slow.say("give\n"));
  ASSERT_TRUE(quick.say("give\n"));
  EXPECT_EQ(quick.hear().size(), (std::size_t{8} << 20) + 1);
  EXPECT_EQ(slow.hear().size(), (std::size_t{8} << 20) + 1);
}

TEST_F(StatServer, ReplacesAStaleSocketAndRemovesItsOwn) {
  const std::string path = directory + "/s";
  auto second =
      std::make_unique<cli::StatServer>(directory, "s", [](std::string_view, cli::Keepsake&) { return "second"; });
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
  const cli::StatServer real{deep, cli::socket_name(mountpoint), [](std::string_view line, cli::Keepsake& kept) {
                               return cli::answer(line, source(), kept);
                             }};
  EXPECT_EQ(cli::ask(deep, mountpoint, cli::StatRequest::second).readings.size(), 2U);
}

TEST_F(StatServer, ClientNamesWhatIsWrong) {
  const auto line = [&](const std::string& where) {
    return failure_of([&] { (void)cli::ask(where, "/mnt", cli::StatRequest::snapshot); });
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
                                      "stat: /mnt: its daemon is gone (Connection refused); unmount it with "
                                      "umount -l and start it again"));
}

}  // namespace
}  // namespace fairfs::test
