#include "cli/live/feed.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <atomic>

#include "cli/socket_path.h"
#include "cli/stat_server.h"
#include "tests/cli/temporary_directory.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using cli::LiveNews;

class LiveFeed : public testing::Test {
 protected:
  static constexpr const char* kReading =
      R"({"version":"1","mountpoint":"/m","source":"/s","instance":1,"scheduling":true,"profile":"","weights":"",)"
      R"("state":{"wall_s":0,"disk":"","elevator":"","disk_bytes_per_s":0,"foreign_bytes_per_s":0,"alerts":[]},)"
      R"("readings":[]})";

  std::string answer(std::string_view line) {
    if (line == R"({"get":"snapshot"})") {
      ++asked;
      return kReading;
    }
    return line == "bad" ? R"({"error":"it is bad"})" : "<" + std::string{line} + ">";
  }
  void start() {
    server = std::make_unique<cli::StatServer>(
        directory, cli::socket_name("/m"),
        [this](std::string_view line, const cli::StatPeer&, cli::Keepsake&) { return answer(line); });
  }
  /// The next news, within ten seconds.
  std::optional<LiveNews> next(cli::LiveFeed& feed) {
    while (waiting.empty()) {
      pollfd ready{feed.descriptor(), POLLIN, 0};
      if (poll(&ready, 1, 10'000) != 1) return std::nullopt;
      for (auto& news : feed.take()) waiting.push_back(std::move(news));
    }
    LiveNews news = std::move(waiting.front());
    waiting.pop_front();
    return news;
  }
  template <typename What>
  bool comes(cli::LiveFeed& feed) {
    const auto news = next(feed);
    return news && std::holds_alternative<What>(news->what);
  }

  TemporaryDirectory folder;
  std::string directory = folder.path("run");
  std::atomic<int> asked{0};
  std::deque<LiveNews> waiting;
  std::unique_ptr<cli::StatServer> server;
};

TEST_F(LiveFeed, AsksAgainAndAgainUntilItRests) {
  start();
  cli::LiveFeed feed{{{directory, "/m"}}};
  feed.watch(0, 1ms);
  for (int i = 0; i < 5; ++i) EXPECT_TRUE(comes<cli::StatReply>(feed));
  feed.rest();
  pollfd ready{feed.descriptor(), POLLIN, 0};
  poll(&ready, 1, 50);  // one may be under way
  (void)feed.take();
  EXPECT_EQ(poll(&ready, 1, 50), 0);
}

TEST_F(LiveFeed, LinesAreAnsweredOneAfterTheOther) {
  start();
  cli::LiveFeed feed{{{directory, "/m"}}};
  feed.send(0, "one", "first");
  feed.send(0, "bad", "second");
  const auto first = next(feed), second = next(feed);
  ASSERT_TRUE(first && second);
  const auto& one = std::get<LiveNews::Answer>(first->what);
  EXPECT_EQ(one.line, "<one>");
  EXPECT_EQ(one.what, "first");
  EXPECT_FALSE(one.is_failure);
  const auto& bad = std::get<LiveNews::Answer>(second->what);
  EXPECT_EQ(bad.line, "it is bad");
  EXPECT_TRUE(bad.is_failure);
}

TEST_F(LiveFeed, ADaemonThatDiesIsMissedAndFoundAgain) {
  start();
  cli::LiveFeed feed{{{directory, "/m"}}};
  feed.watch(0, 5ms);
  EXPECT_TRUE(comes<cli::StatReply>(feed));
  server.reset();
  bool lost = false, found = false;
  for (int i = 0; i < 1000 && !lost; ++i) lost = comes<LiveNews::Lost>(feed);
  EXPECT_TRUE(lost);
  start();
  for (int i = 0; i < 1000 && !found; ++i) found = comes<cli::StatReply>(feed);
  EXPECT_TRUE(found);
}

TEST_F(LiveFeed, EndsAtOnceWhileADaemonDoesNotAnswer) {
  server = std::make_unique<cli::StatServer>(directory, cli::socket_name("/m"),
                                             [this](std::string_view, const cli::StatPeer&, cli::Keepsake&) {
                                               ++asked;
                                               while (asked > 0) poll(nullptr, 0, 5);
                                               return "late";
                                             });
  const auto start = std::chrono::steady_clock::now();
  {
    cli::LiveFeed feed{{{directory, "/m"}}};
    feed.watch(0, 1s);
    while (asked == 0) poll(nullptr, 0, 1);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - start, cli::kAnswerTime / 2);
  asked = 0;
}

}  // namespace
}  // namespace fairfs::test
