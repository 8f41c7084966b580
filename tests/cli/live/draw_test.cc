#include "cli/live/draw.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/live/columns.h"
#include "cli/live/keys.h"
#include "cli/text.h"
#include "tests/cli/live/sample_interval.h"

namespace fairfs::test {
namespace {

using cli::Glyphs;
using cli::LiveLook;
using cli::LiveSize;
using cli::LiveState;
using testing::HasSubstr;
using testing::StartsWith;

std::vector<std::string> drawn(const LiveState& state, LiveSize size, Glyphs glyphs = Glyphs::ascii) {
  std::vector<std::string> lines;
  for (const cli::LiveLine& line : cli::draw(state, size, glyphs).lines) lines.push_back(cli::text_of(line));
  EXPECT_EQ(lines.size(), size.lines);
  for (const std::string& line : lines) EXPECT_LE(cli::width(line), size.columns) << line;
  return lines;
}

TEST(LiveDraw, EightyColumns) {
  const auto lines = drawn(sample_state(), {80, 24});
  EXPECT_EQ(lines[0], "/mnt/fair <- /srv/disk                                                 every 1 s");
  EXPECT_EQ(lines[1], "disk     [=================   ] 83.0% used, 16 of 16 slots, 116 waiting");
  EXPECT_EQ(lines[2], "profile  sda (none): parallel disk");
  EXPECT_EQ(lines[3], "writes   0 dirty, 0 on the way, fsync p99 -; others' traffic: none");
  EXPECT_EQ(lines[4], "weights  in force: 3 flows backlogged");
  EXPECT_EQ(lines[5], "alerts   none");
  EXPECT_EQ(lines[6], "FLOW             WEIGHT  SHARE           DUE    GOT  READ/s WRITE/s QUEUE WAIT99");
  EXPECT_EQ(lines[7], "- /db               300  [=======:  ]  75.0%  70.0%                        900us");
  EXPECT_EQ(lines[9], "  postgres[10]      100  [==+=      ]  25.0%  40.0%                        700us");
  EXPECT_THAT(lines[15], StartsWith(" nginx[13]"));
  EXPECT_THAT(lines[15], HasSubstr("5.0%+"));
  EXPECT_THAT(lines[14], HasSubstr("100* "));
  EXPECT_THAT(lines[23], StartsWith("F1Help F4Filter F5Flat F6Sort F7Weight- F8Weight+ F9Undo F10Quit"));
  EXPECT_THAT(lines[23], testing::EndsWith("1/10"));
}

TEST(LiveDraw, AWideTerminalShowsEverything) {
  LiveState state = sample_state();
  state.choice.tree = false;
  cli::arrange(state);
  const auto lines = drawn(state, {220, 50});
  for (const cli::LiveColumn& column : cli::live_columns()) {
    EXPECT_THAT(lines[6], HasSubstr(std::string{column.heading}));
  }
  EXPECT_THAT(lines[7], StartsWith("postgres[10]"));
}

TEST(LiveDraw, HeadingsStandOverTheirColumns) {
  for (const std::size_t columns : {60U, 80U, 100U, 132U, 160U, 220U}) {
    const auto lines = drawn(sample_state(), {columns, 24});
    EXPECT_EQ(cli::width(lines[6]), columns);
    const auto end_of_due = lines[6].find("DUE") + 3;
    EXPECT_EQ(lines[7].substr(end_of_due - 5, 5), "75.0%") << columns;
  }
}

TEST(LiveDraw, EverySizeIsDrawnWithinItself) {
  LiveState state = sample_state();
  for (std::size_t columns = 1; columns <= 130; columns += 3) {
    for (const std::size_t lines : {1U, 2U, 9U, 10U, 11U, 24U, 60U}) {
      cli::scroll(state, {columns, lines});
      (void)drawn(state, {columns, lines}, Glyphs::unicode);
    }
  }
  EXPECT_THAT(drawn(state, {30, 24})[0], StartsWith("this terminal is too small"));
}

TEST(LiveDraw, TheChosenRowIsAlwaysSeen) {
  LiveState state = sample_state();
  for (const cli::LiveRow& row : std::vector<cli::LiveRow>{state.rows}) {
    state.selected = row.id;
    cli::scroll(state, {80, 12});  // four rows
    const auto screen = cli::draw(state, {80, 12}, Glyphs::ascii);
    const auto is_selected = [](const cli::LiveLine& line) {
      return !line.empty() && line[0].look == LiveLook::selected;
    };
    const auto found = std::ranges::find_if(screen.lines, is_selected);
    ASSERT_NE(found, screen.lines.end());
    EXPECT_THAT(cli::text_of(*found), HasSubstr(row.label.substr(0, 8)));
  }
}

TEST(LiveDraw, SaysWhyWeightsAreNotInForceAndWhatElseIsWrong) {
  LiveState state = sample_state();
  cli::IntervalView& interval = *state.mounts[0].interval;
  interval.weights_in_force = false;
  interval.reason = "all reads cached";
  interval.state.processor_bound = true;
  interval.fsync_us_p99 = 34'000;
  interval.dirty_bytes = 12 << 20;
  interval.state.disk_bytes_per_s = 40 << 20;
  interval.state.foreign_bytes_per_s = 30 << 20;
  interval.state.alerts = {"one is wrong", "two"};
  const auto lines = drawn(state, {120, 24});
  EXPECT_EQ(lines[3], "writes   12M dirty, 0 on the way, fsync p99 34ms; others' traffic: 30M/s of 40M/s");
  EXPECT_EQ(lines[4], "weights  not in force: all reads cached; the processors are the limit, not the disk");
  EXPECT_EQ(lines[5], "alerts   (1 of 2, a: all) one is wrong");
  interval.state.held_bytes = 3 << 20;
  EXPECT_THAT(drawn(state, {120, 24})[3], HasSubstr("12M dirty, 0 on the way, 3.0M held, fsync"));
  interval.state.disk.clear();
  EXPECT_THAT(drawn(state, {120, 24})[3], HasSubstr("others' traffic: not known"));
}

TEST(LiveDraw, WhatIsTooLongForEightyColumnsIsSaidShorterOrInMoreLines) {
  LiveState state = sample_state();
  cli::IntervalView& interval = *state.mounts[0].interval;
  interval.about.profile =
      "several disks in one: serves 6.6 requests in the time of one, but streams side by side get 30 % of one";
  interval.state.processor_bound = true;
  interval.dirty_bytes = interval.writing_bytes = 120 << 20;
  interval.fsync_us_p99 = 340'000;
  interval.state.disk_bytes_per_s = 1000 << 20;
  interval.state.foreign_bytes_per_s = 130 << 20;
  interval.state.alerts = {
      "weights.toml:7: any user may call a program 'a-program': add user or exe to the rule, and so that it is longer"};
  cli::scroll(state, {80, 24});
  auto lines = drawn(state, {80, 24});
  EXPECT_EQ(lines[2], "profile  sda (none): several disks in one: serves 6.6 requests in the time of");
  EXPECT_EQ(lines[3], "         one, but streams side by side get 30 % of one");
  EXPECT_EQ(lines[4], "writes   120M dirty, fsync p99 340ms; others' traffic: 130M/s of 1000M/s");
  EXPECT_EQ(lines[5], "weights  in force: 3 flows backlogged; processors are the limit");
  EXPECT_EQ(lines[6], "alerts   weights.toml:7: any user may call a program 'a-program': add user or");
  EXPECT_EQ(lines[7], "         exe to the rule, and so that it is longer");
  EXPECT_THAT(lines[8], StartsWith("FLOW "));
  EXPECT_THAT(lines[23], StartsWith("F1Help"));
  EXPECT_EQ(cli::rows_on(state, {80, 24}), 24U - 8 - 2);
  lines = drawn(state, {80, 20});  // no lines to spare: cut, and one sees that it is
  EXPECT_THAT(lines[2], testing::EndsWith("~"));
  EXPECT_THAT(lines[5], testing::EndsWith("~"));
  EXPECT_THAT(lines[6], StartsWith("FLOW "));
  lines = drawn(state, {160, 24});
  EXPECT_THAT(lines[3], HasSubstr("120M on the way"));
  EXPECT_THAT(lines[4], HasSubstr("the processors are the limit, not the disk"));
}

TEST(LiveScreen, WrapBreaksAtSpacesAndCutsWhatHasNone) {
  using testing::ElementsAre;
  EXPECT_THAT(cli::wrap("", 5, 3), ElementsAre(""));
  EXPECT_THAT(cli::wrap("ab cd ef", 8, 3), ElementsAre("ab cd ef"));
  EXPECT_THAT(cli::wrap("ab cd ef", 5, 3), ElementsAre("ab cd", "ef"));
  EXPECT_THAT(cli::wrap("ab cd ef", 4, 2), ElementsAre("ab", "cd ~"));
  EXPECT_THAT(cli::wrap("abcdefgh ij", 4, 3), ElementsAre("abc~", "ij"));
  EXPECT_THAT(cli::wrap("abcdefgh", 4, 3), ElementsAre("abc~"));
  EXPECT_THAT(cli::wrap("漢字 漢", 4, 3), ElementsAre("漢字", "漢"));
}

TEST(LiveDraw, ADaemonThatIsGoneIsSaidAndItsRowsAreNotShown) {
  LiveState state = sample_state();
  cli::lose(state, 0, "stat: /mnt/fair: its daemon is gone");
  const auto lines = drawn(state, {80, 24});
  EXPECT_EQ(lines[1], "trouble  stat: /mnt/fair: its daemon is gone");
  EXPECT_EQ(lines[2], "         waiting for it to come back; q ends");
  EXPECT_EQ(lines[7], "");
}

TEST(LiveDraw, PagesCoverTheRows) {
  LiveState state = sample_state();
  state.page.kind = cli::LivePage::Kind::help;
  std::string all;
  for (state.page.first = 0; state.page.first < 100; state.page.first += 10) {
    for (const std::string& line : drawn(state, {100, 24})) all += line + "\n";
  }
  for (const cli::LiveKeyHelp& help : cli::live_keys()) {
    EXPECT_THAT(all, HasSubstr(std::string{help.keys}));
    EXPECT_THAT(all, HasSubstr(std::string{help.does}));
  }
  for (const cli::LiveColumn& column : cli::live_columns()) EXPECT_THAT(all, HasSubstr(std::string{column.help}));
  state.page = {};
  state.page.kind = cli::LivePage::Kind::alerts;
  EXPECT_EQ(drawn(state, {80, 24})[7], "there are no alerts");
  state.mounts[0].interval->state.alerts = {std::string(50, 'x') + " " + std::string(50, 'y')};
  EXPECT_EQ(drawn(state, {80, 24})[8], "  " + std::string(50, 'y'));
}

TEST(LiveDraw, BarsAndSparklines) {
  EXPECT_EQ(cli::share_bar(0.5, 0.25, 12, Glyphs::ascii), "[==+==     ]");
  EXPECT_EQ(cli::share_bar(0.0, 1.0, 12, Glyphs::ascii), "[         :]");
  EXPECT_EQ(cli::share_bar(7.0, 0.0, 12, Glyphs::ascii), "[==========]");
  EXPECT_EQ(cli::width(cli::share_bar(0.3, 0.7, 12, Glyphs::unicode)), 12U);
  EXPECT_EQ(cli::share_bar(1, 1, 2, Glyphs::ascii), "  ");
  EXPECT_EQ(cli::sparkline(std::vector{0.0, 0.001, 0.5, 1.0, 2.0}, Glyphs::unicode), "  ▄██");
  EXPECT_EQ(cli::sparkline(std::vector{0.01, 0.5, 1.0}, Glyphs::ascii), ".-#");
}

TEST(LiveDraw, WideCharactersTakeTwoColumns) {
  EXPECT_EQ(cli::width("a漢b"), 4U);
  EXPECT_EQ(cli::fit("漢字漢字", 5), "漢字~");
  EXPECT_EQ(cli::fit("漢字漢字", 4), "漢~ ");
  EXPECT_EQ(cli::fit("漢字漢字", 4, cli::Keep::tail), "~ 字");
  EXPECT_EQ(cli::width("e\u0301"), 1U);
  EXPECT_EQ(cli::utf8(U'漢'), "漢");
  EXPECT_EQ(cli::utf8(U'😀'), "😀");
  EXPECT_EQ(cli::utf8(U'ä'), "ä");
}

}  // namespace
}  // namespace fairfs::test
