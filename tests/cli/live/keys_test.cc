#include "cli/live/keys.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/live/prompts.h"
#include "tests/cli/live/sample_interval.h"

namespace fairfs::test {
namespace {

using cli::LiveKey;
using cli::LivePage;
using cli::LivePrompt;
using cli::LiveState;
using cli::LiveWish;
using Code = LiveKey::Code;
using Wish = LiveWish::Kind;

constexpr std::size_t kPage = 4;

LiveWish press(LiveState& state, char32_t letter) { return cli::press(state, {Code::character, letter}, kPage); }
LiveWish press(LiveState& state, Code code) { return cli::press(state, {code}, kPage); }
LiveWish function(LiveState& state, int number) {
  return cli::press(state, {Code::function, static_cast<char32_t>(number)}, kPage);
}
void type(LiveState& state, std::u32string_view text) {
  for (const char32_t letter : text) (void)press(state, letter);
}
std::string chosen(const LiveState& state) { return state.rows[state.selected_place()].label; }

TEST(LiveKeys, ArrowsChooseRows) {
  LiveState state = sample_state();
  EXPECT_EQ(chosen(state), "/db");
  (void)press(state, Code::up);
  EXPECT_EQ(chosen(state), "/db");
  (void)press(state, Code::down);
  EXPECT_EQ(chosen(state), "(processes)");
  (void)press(state, Code::page_down);
  EXPECT_EQ(chosen(state), "tar[12]");
  (void)press(state, U'j');
  EXPECT_EQ(chosen(state), "guests");
  (void)press(state, U'k');
  EXPECT_EQ(chosen(state), "tar[12]");
  (void)press(state, Code::end);
  EXPECT_EQ(chosen(state), "(kernel)");
  (void)press(state, Code::page_up);
  EXPECT_EQ(chosen(state), "tar[12]");
  (void)press(state, Code::home);
  EXPECT_EQ(chosen(state), "/db");
}

TEST(LiveKeys, TheChosenRowIsFollowedAndAGoneOneLeavesItsPlace) {
  LiveState state = sample_state();
  for (int i = 0; i < 5; ++i) (void)press(state, Code::down);
  ASSERT_EQ(chosen(state), "tar[12]");
  state.mounts[0].interval->flows[2].share_got = 0.9;
  cli::arrange(state);
  EXPECT_EQ(chosen(state), "tar[12]");
  state.mounts[0].interval->flows.erase(state.mounts[0].interval->flows.begin() + 2);
  cli::arrange(state);
  EXPECT_NE(chosen(state), "tar[12]");
  EXPECT_FALSE(state.selected.empty());
}

TEST(LiveKeys, UntilOneIsChosenItIsTheOneAtTheTop) {
  LiveState state = sample_state();
  state.mounts[0].interval->flows[4].share_got = 0.95;
  cli::arrange(state);
  EXPECT_EQ(chosen(state), "guests");
  EXPECT_TRUE(state.selected.empty());
}

TEST(LiveKeys, GroupsOpenAndClose) {
  LiveState state = sample_state();
  (void)press(state, Code::enter);
  EXPECT_EQ(state.rows.size(), 5U);
  (void)press(state, Code::enter);
  EXPECT_EQ(state.rows.size(), 10U);
  (void)press(state, U'-');
  (void)press(state, U'-');
  EXPECT_EQ(state.rows.size(), 5U);
  (void)press(state, U'+');
  EXPECT_EQ(state.rows.size(), 10U);
  (void)press(state, Code::left);
  EXPECT_EQ(state.rows.size(), 5U);
  (void)press(state, Code::right);
  for (int i = 0; i < 3; ++i) (void)press(state, Code::down);
  ASSERT_EQ(chosen(state), "checkpointer[11]");
  (void)press(state, Code::left);
  EXPECT_EQ(chosen(state), "(processes)");
}

TEST(LiveKeys, SortTreeIdlePause) {
  LiveState state = sample_state();
  EXPECT_EQ(function(state, 5).kind, Wish::none);
  EXPECT_FALSE(state.choice.tree);
  EXPECT_EQ(state.rows.size(), 6U);
  (void)press(state, U't');
  EXPECT_TRUE(state.choice.tree);
  const std::size_t before = state.choice.sort_by;
  (void)function(state, 6);
  EXPECT_EQ(state.choice.sort_by, before + 1);
  EXPECT_TRUE(state.message.starts_with("sorted by READ/s: ")) << state.message;
  (void)press(state, U'<');
  (void)press(state, U'<');
  EXPECT_EQ(state.choice.sort_by, before - 1);
  (void)press(state, U'I');
  EXPECT_TRUE(state.choice.reversed);
  (void)press(state, U'i');
  EXPECT_TRUE(state.choice.hide_idle);
  EXPECT_EQ(press(state, U'p').kind, Wish::none);
  EXPECT_TRUE(state.paused);
  EXPECT_EQ(press(state, U' ').kind, Wish::look);
  EXPECT_FALSE(state.paused);
  for (std::size_t i = 0; i < cli::live_columns().size(); ++i) (void)press(state, U'>');
  EXPECT_EQ(state.choice.sort_by, before - 1) << "all the way round";
}

TEST(LiveKeys, FilterWorksWhileItIsTyped) {
  LiveState state = sample_state();
  (void)function(state, 4);
  type(state, U"ta");
  EXPECT_EQ(state.choice.filter, "ta");
  EXPECT_EQ(state.rows.size(), 3U);
  (void)press(state, Code::backspace);
  EXPECT_EQ(state.choice.filter, "t");
  (void)press(state, U'q');  // a letter like any other
  EXPECT_EQ(state.choice.filter, "tq");
  EXPECT_TRUE(state.rows.empty());
  (void)press(state, Code::escape);
  EXPECT_EQ(state.choice.filter, "");
  EXPECT_EQ(state.rows.size(), 10U);
  (void)press(state, U'/');
  type(state, U"nginx");
  (void)press(state, Code::enter);
  EXPECT_EQ(state.prompt.kind, LivePrompt::Kind::none);
  EXPECT_EQ(state.choice.filter, "nginx");
}

TEST(LiveKeys, WeightUpAndDownByATenth) {
  LiveState state = sample_state();
  const LiveWish up = function(state, 8);
  EXPECT_EQ(up.kind, Wish::tell);
  EXPECT_EQ(up.line, R"({"set":{"cgroup":"/db","weight":330}})");
  EXPECT_EQ(up.what, "/db: weight=330");
  EXPECT_EQ(function(state, 8).line, R"({"set":{"cgroup":"/db","weight":363}})") << "before the daemon has answered";
  EXPECT_EQ(press(state, U'[').line, R"({"set":{"cgroup":"/db","weight":327}})");
  for (int i = 0; i < 2; ++i) (void)press(state, Code::down);
  EXPECT_EQ(function(state, 7).line, R"({"set":{"pid":10,"weight":90}})");
  EXPECT_TRUE(state.rows[state.selected_place()].sums.overridden);
  state.mounts[0].interval->flows[0].weight = 1;
  cli::arrange(state);
  EXPECT_EQ(function(state, 7).line, R"({"set":{"pid":10,"weight":1}})");
  EXPECT_EQ(function(state, 8).line, R"({"set":{"pid":10,"weight":2}})");
  state.mounts[0].interval->flows[0].weight = 10000;
  cli::arrange(state);
  EXPECT_EQ(function(state, 8).line, R"({"set":{"pid":10,"weight":10000}})");
}

TEST(LiveKeys, WeightClassAndRuleAsText) {
  LiveState state = sample_state();
  for (int i = 0; i < 2; ++i) (void)press(state, Code::down);
  (void)press(state, U'r');
  EXPECT_EQ(cli::prompt_words(state), "weight of postgres[10], 1 to 10000: ");
  // While it is typed the rows move, and the chosen one goes: the weight is still meant for postgres.
  state.mounts[0].interval->flows.erase(state.mounts[0].interval->flows.begin());
  cli::arrange(state);
  type(state, U"500");
  const LiveWish wish = press(state, Code::enter);
  EXPECT_EQ(wish.line, R"({"set":{"pid":10,"weight":500}})");
  EXPECT_EQ(wish.what, "postgres[10]: weight=500");
  state = sample_state();
  (void)press(state, U'c');
  type(state, U"idle");
  EXPECT_EQ(press(state, Code::enter).line, R"({"set":{"cgroup":"/db","class":"idle"}})");
  (void)press(state, U'=');
  type(state, U"weight=5,class=be");
  EXPECT_EQ(press(state, Code::enter).line, R"({"set":{"cgroup":"/db","class":"be","weight":5}})");
  (void)press(state, U'=');
  type(state, U"weight");
  EXPECT_EQ(press(state, Code::enter).kind, Wish::none);
  EXPECT_TRUE(state.is_failure);
  EXPECT_TRUE(state.message.starts_with("'weight' is not of the form KEY=VALUE"));
  (void)press(state, U'r');
  EXPECT_EQ(press(state, Code::enter).kind, Wish::none) << "nothing typed, nothing done";
}

TEST(LiveKeys, UndoOneAndAll) {
  LiveState state = sample_state();
  EXPECT_EQ(function(state, 9).line, R"({"unset":{"cgroup":"/db"}})");
  (void)press(state, U'U');
  type(state, U"n");
  EXPECT_EQ(press(state, Code::enter).kind, Wish::none);
  (void)press(state, U'U');
  type(state, U"y");
  EXPECT_EQ(press(state, Code::enter).line, R"({"unset":"all"})");
}

TEST(LiveKeys, WhatCannotBeChangedIsSaid) {
  LiveState state = sample_state();
  (void)press(state, Code::end);
  EXPECT_EQ(function(state, 8).kind, Wish::none);
  EXPECT_EQ(state.message, "requests of the kernel itself have no weight of their own");
  (void)press(state, Code::home);
  (void)press(state, Code::down);
  EXPECT_EQ(press(state, U'r').kind, Wish::none);
  EXPECT_EQ(state.prompt.kind, LivePrompt::Kind::none);
  EXPECT_TRUE(state.is_failure);
  state.replayed = true;
  (void)press(state, Code::home);
  EXPECT_EQ(function(state, 8).kind, Wish::none);
  EXPECT_EQ(state.message, "this is a recording: nothing can be changed");
  state = sample_state();
  cli::lose(state, 0, "gone");
  EXPECT_EQ(function(state, 8).kind, Wish::none);
  EXPECT_EQ(state.message, "there is no row to change");
}

TEST(LiveKeys, WhatIsSetIsListedAndUndoneThere) {
  LiveState state = sample_state();
  EXPECT_EQ(press(state, U'o').kind, Wish::list);
  cli::hear(state, "", R"({"overrides":[{"pid":10,"weight":5},{"command":"x","weight":6}]})", false);
  EXPECT_EQ(state.page.kind, LivePage::Kind::overrides);
  (void)press(state, Code::down);
  const LiveWish wish = press(state, U'u');
  EXPECT_EQ(wish.line, R"({"unset":{"command":"x"}})");
  cli::hear(state, wish.what, R"({"overrides":[{"pid":10,"weight":5}]})", false);
  EXPECT_EQ(state.page.changes.size(), 1U);
  EXPECT_EQ(state.page.chosen, 0U);
  EXPECT_EQ(state.message, "command=x: undone");
  (void)press(state, U'q');
  EXPECT_EQ(state.page.kind, LivePage::Kind::rows);
  cli::hear(state, "x: weight=5", "weight = 0 is out of range", true);
  EXPECT_EQ(state.message, "weight = 0 is out of range");
  EXPECT_TRUE(state.is_failure);
  EXPECT_EQ(state.page.kind, LivePage::Kind::rows);
}

TEST(LiveKeys, PagesAndTheEnd) {
  LiveState state = sample_state();
  (void)function(state, 1);
  EXPECT_EQ(state.page.kind, LivePage::Kind::help);
  (void)press(state, Code::down);
  EXPECT_EQ(state.page.first, 1U);
  EXPECT_EQ(press(state, Code::escape).kind, Wish::none);
  EXPECT_EQ(state.page.kind, LivePage::Kind::rows);
  (void)press(state, U'a');
  EXPECT_EQ(state.page.kind, LivePage::Kind::alerts);
  (void)press(state, U'a');
  EXPECT_EQ(press(state, U'q').kind, Wish::quit);
  EXPECT_EQ(function(state, 10).kind, Wish::quit);
  (void)press(state, Code::down);
  (void)press(state, Code::down);
  EXPECT_EQ(press(state, U'e').pid, 10);
}

TEST(LiveKeys, DelayIsChecked) {
  LiveState state = sample_state();
  (void)press(state, U'd');
  type(state, U"2.5");
  EXPECT_EQ(press(state, Code::enter).kind, Wish::look);
  EXPECT_EQ(state.interval_s, 2.5);
  (void)press(state, U's');
  type(state, U"0.01");
  EXPECT_EQ(press(state, Code::enter).kind, Wish::none);
  EXPECT_EQ(state.interval_s, 2.5);
  EXPECT_TRUE(state.is_failure);
}

TEST(LiveKeys, TabGoesFromMountToMount) {
  LiveState state = sample_state();
  EXPECT_EQ(press(state, Code::tab).kind, Wish::none);
  EXPECT_EQ(state.message, "this is the only mount");
  state.mounts.resize(3);
  EXPECT_EQ(press(state, Code::tab).kind, Wish::look);
  EXPECT_EQ(state.current, 1U);
  EXPECT_TRUE(state.rows.empty());
  (void)press(state, Code::back_tab);
  EXPECT_EQ(state.rows.size(), 10U);
  (void)press(state, Code::back_tab);
  EXPECT_EQ(state.current, 2U);
}

TEST(LiveState, AnotherDaemonBeginsAnew) {
  LiveState state;
  state.mounts.resize(1);
  state.choice = sample_choice();
  const auto reply = [](std::uint64_t instance, std::int64_t second, std::uint64_t reads) {
    cli::StatReply result;
    result.about.instance = instance;
    engine::Snapshot snapshot;
    snapshot.taken = sched::Time{std::chrono::seconds{second}};
    engine::FlowReading flow;
    flow.key = 1;
    flow.name = flow.command = "x";
    flow.counters.reads = reads;
    snapshot.flows = {flow};
    result.readings = {snapshot};
    return result;
  };
  cli::take(state, 0, reply(1, 10, 1000));
  EXPECT_FALSE(state.mount().interval);
  cli::take(state, 0, reply(1, 11, 1500));
  ASSERT_TRUE(state.mount().interval);
  EXPECT_DOUBLE_EQ(state.mount().interval->flows[0].reads_per_s, 500);
  cli::take(state, 0, reply(2, 12, 3));
  EXPECT_FALSE(state.mount().interval) << "its counters are others";
  cli::take(state, 0, reply(2, 14, 5));
  EXPECT_DOUBLE_EQ(state.mount().interval->flows[0].reads_per_s, 1);
  cli::lose(state, 0, "gone");
  EXPECT_EQ(state.mount().trouble, "gone");
  EXPECT_TRUE(state.rows.empty());
  cli::take(state, 0, reply(2, 15, 6));
  EXPECT_EQ(state.mount().trouble, "");
  cli::take(state, 7, reply(2, 16, 6));  // of no mount
}

}  // namespace
}  // namespace fairfs::test
