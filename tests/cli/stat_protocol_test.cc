#include "cli/stat_protocol.h"

#include <gtest/gtest.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/explanation_text.h"
#include "cli/stat_commands.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using cli::RuleWords;

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
  flow.group = 1;
  flow.weight = 42;
  flow.service = sched::ServiceClass::idle;
  flow.overridden = flow.ended = true;
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
                   .starved = 15s,
                   .wait = {},
                   .service = {},
                   .sync = {}};
  flow.counters.sync.add(7ms);
  flow.dirty_bytes = 13;
  flow.writing_bytes = 14;
  for (const auto wait : {1us, 1ms / 1us * 1us, 3600s / 1us * 1us}) flow.counters.wait.add(wait);
  snapshot.flows.push_back(flow);
  snapshot.groups.push_back({engine::GroupKind::cgroup, "/a b", 0, -1, 77, true});
  snapshot.groups.push_back({engine::GroupKind::user, "", 1000, 0, 78, false});
  return snapshot;
}

constexpr cli::StatPeer kOwner{0, true}, kStranger{1000, false};

/// A daemon that notes what it is told to do.
struct Daemon {
  std::string done;
  int snapshots = 0;
  bool held = false;
  cli::StatCommands commands{source()};
  cli::Keepsake kept;

  cli::StatSource source() {
    cli::StatSource source;
    source.about = {.version = "1",
                    .mountpoint = "/mnt",
                    .source = "/data",
                    .instance = 99,
                    .scheduling = false,
                    .profile = "a disk",
                    .weights = "w.toml"};
    source.state = [] { return cli::StatState{5, "sda", "bfq", 3, 1, {"it \"burns\""}, 0.5, true, 7}; };
    source.snapshot = [this] {
      ++snapshots;
      return sample(1s);
    };
    source.last_second = [] {
      return std::pair{std::make_shared<const engine::Snapshot>(sample(1s)),
                       std::make_shared<const engine::Snapshot>(sample(2s))};
    };
    source.overrides = [] { return std::vector<RuleWords>{{{"command", "x"}, {"weight", 5}}}; };
    source.set = [this](const RuleWords& words) { done += "set " + cli::to_text(words) + ";"; };
    source.unset = [this](const RuleWords* whom) { done += "unset " + (whom ? cli::to_text(*whom) : "all") + ";"; };
    source.reload = [this] {
      done += "reload;";
      return std::uint64_t{7};
    };
    source.last_reload = [] { return cli::ReloadState{6, "w.toml:1:1: bad"}; };
    source.explain = [](pid_t pid) {
      engine::Explanation why;
      why.process.pid = pid;
      return why;
    };
    source.trace = [] { return std::make_shared<engine::TraceBuffer>(); };
    source.traced = [](engine::TraceBuffer&, std::size_t most) {
      return cli::TraceReply{std::vector<engine::TracedRequest>(most / 1000), 5};
    };
    source.hold = [this] {
      held = true;
      return std::shared_ptr<void>{&held, [](bool* let_go) { *let_go = false; }};
    };
    return source;
  }
  std::string answer(std::string_view request, const cli::StatPeer& peer = kOwner) {
    return commands.answer(request, peer, kept);
  }
};

TEST(StatProtocol, HoldLastsAsLongAsItIsKept) {
  Daemon daemon;
  EXPECT_EQ(daemon.answer(R"({"hold":true})"), R"({"held":true})");
  EXPECT_TRUE(daemon.held);
  EXPECT_EQ(daemon.answer(R"({"hold":false})"), R"({"held":false})");
  EXPECT_FALSE(daemon.held);
  EXPECT_EQ(daemon.answer(R"({"hold":true})"), R"({"held":true})");
  daemon.kept = {};
  EXPECT_FALSE(daemon.held);
}

TEST(StatProtocol, SnapshotArrivesAsItWasSent) {
  const auto reply = cli::parse_reply(Daemon{}.answer(R"({"get":"snapshot"})"));
  EXPECT_EQ(reply.about.version, "1");
  EXPECT_EQ(reply.about.mountpoint, "/mnt");
  EXPECT_EQ(reply.about.source, "/data");
  EXPECT_EQ(reply.about.instance, 99U);
  EXPECT_FALSE(reply.about.scheduling);
  EXPECT_EQ(reply.state.wall_s, 5);
  EXPECT_EQ(reply.state.disk, "sda");
  EXPECT_EQ(reply.state.elevator, "bfq");
  EXPECT_EQ(reply.state.disk_bytes_per_s, 3);
  EXPECT_EQ(reply.state.foreign_bytes_per_s, 1);
  EXPECT_EQ(reply.state.alerts, std::vector<std::string>{"it \"burns\""});
  EXPECT_EQ(reply.state.processor_use, 0.5);
  EXPECT_TRUE(reply.state.processor_bound);
  EXPECT_EQ(reply.state.held_bytes, 7U);
  EXPECT_EQ(reply.about.profile, "a disk");
  EXPECT_EQ(reply.about.weights, "w.toml");
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
  EXPECT_EQ(flow.group, 1);
  EXPECT_EQ(flow.weight, 42);
  EXPECT_EQ(flow.service, sched::ServiceClass::idle);
  EXPECT_TRUE(flow.overridden);
  EXPECT_TRUE(flow.ended);
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
  EXPECT_EQ(flow.counters.starved, 15s);
  EXPECT_EQ(flow.counters.sync.samples(), 1U);
  EXPECT_EQ(flow.dirty_bytes, 13U);
  EXPECT_EQ(flow.writing_bytes, 14U);
  EXPECT_EQ(flow.counters.wait.buckets(), original.counters.wait.buckets());
  EXPECT_EQ(flow.counters.wait.samples(), 3U);
  EXPECT_EQ(flow.counters.service.samples(), 0U);
  ASSERT_EQ(got.groups.size(), 2U);
  EXPECT_EQ(got.groups[0].kind, engine::GroupKind::cgroup);
  EXPECT_EQ(got.groups[0].cgroup, "/a b");
  EXPECT_EQ(got.groups[0].parent, -1);
  EXPECT_EQ(got.groups[0].weight, 77);
  EXPECT_TRUE(got.groups[0].overridden);
  EXPECT_EQ(got.groups[1].kind, engine::GroupKind::user);
  EXPECT_EQ(got.groups[1].user, 1000U);
  EXPECT_EQ(got.groups[1].parent, 0);
  EXPECT_FALSE(got.groups[1].overridden);
}

TEST(StatProtocol, ATreeThatIsNoneIsRefused) {
  const auto refused = [](auto change) {
    engine::Snapshot snapshot = sample(1s);
    change(snapshot);
    EXPECT_THROW(
        (void)cli::parse_reply(cli::to_line(cli::StatAbout{}, cli::StatState{}, std::array{&std::as_const(snapshot)})),
        std::runtime_error);
  };
  refused([](auto& snapshot) { snapshot.flows[0].group = 2; });
  refused([](auto& snapshot) { snapshot.flows[0].group = -2; });
  refused([](auto& snapshot) { snapshot.groups[0].parent = 2; });
  refused([](auto& snapshot) { snapshot.groups[0].parent = 1; });  // a ring
}

TEST(StatProtocol, TheLastSecondHasTwoReadings) {
  const auto reply = cli::parse_reply(Daemon{}.answer(cli::to_line(cli::StatRequest::second)));
  ASSERT_EQ(reply.readings.size(), 2U);
  EXPECT_EQ(reply.readings[1].taken - reply.readings[0].taken, 1s);
}

TEST(StatProtocol, ChangesArriveAndAreListed) {
  Daemon daemon;
  const std::string list = R"({"overrides":[{"command":"x","weight":5}]})";
  EXPECT_EQ(daemon.answer(cli::set_line({{"command", "a \"b\""}, {"weight", 20}})), list);
  const RuleWords whom{{"user", 1000}, {"cgroup", "/x"}};
  EXPECT_EQ(daemon.answer(cli::unset_line(&whom)), list);
  EXPECT_EQ(daemon.answer(cli::unset_line(nullptr)), list);
  EXPECT_EQ(daemon.done, "set command=a \"b\",weight=20;unset cgroup=/x,user=1000;unset all;");
  const auto heard = cli::parse_overrides(daemon.answer(cli::kOverridesLine));
  ASSERT_EQ(heard.size(), 1U);
  EXPECT_EQ(heard[0], (RuleWords{{"command", "x"}, {"weight", 5}}));
}

TEST(StatProtocol, ExplainsAProcess) {
  Daemon daemon;
  EXPECT_EQ(cli::parse_explanation(daemon.answer(cli::explain_line(7))).process.pid, 7);
  EXPECT_EQ(cli::parse_explanation(daemon.answer(cli::explain_line(7), kStranger)).process.pid, 7);
}

TEST(StatProtocol, TracesForAsLongAsItIsKept) {
  Daemon daemon;
  EXPECT_EQ(daemon.answer(cli::kTraceMoreLine), R"({"error":"nothing is traced: ask {\"trace\":true} first"})");
  EXPECT_EQ(daemon.answer(cli::kTraceLine), R"({"tracing":true})");
  EXPECT_TRUE(daemon.kept.trace);
  const cli::TraceReply reply = cli::parse_trace(daemon.answer(cli::kTraceMoreLine));
  EXPECT_EQ(reply.requests.size(), 2U);
  EXPECT_EQ(reply.lost, 5U);
  EXPECT_EQ(daemon.answer(R"({"trace":false})"), R"({"tracing":false})");
  EXPECT_FALSE(daemon.kept.trace);
}

TEST(StatProtocol, AReloadIsBegunAndLookedAfter) {
  Daemon daemon;
  EXPECT_EQ(cli::parse_reload(daemon.answer(cli::kReloadLine)).reloads, 7U);
  const cli::ReloadState state = cli::parse_reload(daemon.answer(cli::kReloadStateLine));
  EXPECT_EQ(state.reloads, 6U);
  EXPECT_EQ(state.error, "w.toml:1:1: bad");
}

TEST(StatProtocol, WhoMayOnlyLookChangesNothing) {
  Daemon daemon;
  const std::string refusal = R"({"error":"only root and the user that mounted it may change or trace anything"})";
  const RuleWords words{{"command", "x"}, {"weight", 1}}, whom{{"command", "x"}};
  for (const std::string& line :
       {cli::set_line(words), cli::unset_line(&whom), cli::unset_line(nullptr), std::string{cli::kReloadLine},
        std::string{R"({"hold":true})"}, std::string{cli::kTraceLine}}) {
    EXPECT_EQ(daemon.answer(line, kStranger), refusal) << line;
  }
  EXPECT_EQ(daemon.done, "");
  EXPECT_FALSE(daemon.held);
  EXPECT_FALSE(daemon.kept.trace);
  EXPECT_EQ(cli::parse_reply(daemon.answer(R"({"get":"second"})", kStranger)).readings.size(), 2U);
}

TEST(StatProtocol, WhoMayOnlyLookCannotMakeTheDaemonRead) {
  Daemon daemon;
  for (int i = 0; i < 10; ++i) (void)daemon.answer(R"({"get":"snapshot"})");
  EXPECT_EQ(daemon.snapshots, 10);
  const auto began = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) (void)daemon.answer(R"({"get":"snapshot"})", kStranger);
  const auto took = std::chrono::steady_clock::now() - began;
  EXPECT_LE(daemon.snapshots, 11 + took / cli::StatCommands::kKept);
}

TEST(StatProtocol, NonsenseIsAnsweredWithAnError) {
  Daemon daemon;
  for (const char* request : {"",
                              "nonsense",
                              "[]",
                              "3",
                              "{}",
                              R"({"get":3})",
                              R"({"get":"everything"})",
                              "{\"get\":",
                              R"({"set":3})",
                              R"({"set":{"weight":1.5}})",
                              R"({"set":{"weight":[]}})",
                              R"({"unset":"some"})",
                              R"({"unset":[]})",
                              R"({"hold":1})",
                              R"({"explain":0})",
                              R"({"explain":-1})",
                              R"({"explain":9999999})",
                              R"({"explain":"x"})",
                              R"({"trace":1})",
                              R"({"get":"second","set":{}})",
                              R"({"forget":"all"})"}) {
    EXPECT_TRUE(daemon.answer(request).starts_with(R"({"error":"ask )")) << request;
  }
  EXPECT_EQ(daemon.done, "");
  for (const char* reply : {"", "3", "{}", R"({"error":"x"})", R"({"version":1})"}) {
    EXPECT_THROW((void)cli::parse_reply(reply), std::runtime_error) << reply;
    EXPECT_THROW((void)cli::parse_overrides(reply), std::runtime_error) << reply;
    EXPECT_THROW((void)cli::parse_reload(reply), std::runtime_error) << reply;
  }
  nlohmann::json reply = nlohmann::json::parse(daemon.answer(R"({"get":"snapshot"})"));
  EXPECT_NO_THROW((void)cli::parse_reply(reply.dump()));
  reply["readings"][0]["flows"][0]["class"] = 3;
  EXPECT_THROW((void)cli::parse_reply(reply.dump()), std::runtime_error);
  reply["readings"] = {nlohmann::json::object()};
  EXPECT_THROW((void)cli::parse_reply(reply.dump()), std::runtime_error);
}

}  // namespace
}  // namespace fairfs::test
