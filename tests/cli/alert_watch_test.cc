#include "cli/alert_watch.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "cli/disk_counters.h"
#include "cli/foreign_traffic.h"
#include "cli/processor_use.h"
#include "cli/weights_file.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using cli::AlertSigns;
using engine::Snapshot;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// One second after another, with signs that the test changes.
class AlertWatch : public testing::Test {
 protected:
  AlertWatch() {
    engine::FlowReading flow;
    flow.key = 1;
    flow.name = "fio[7]";
    before.flows = after.flows = {flow};
  }
  std::vector<std::string> next_second() {
    after.taken = before.taken + 1s;
    auto news = watch.look(signs, after.taken);
    before.taken = after.taken;
    return news;
  }
  std::vector<std::string> seconds(int count) {
    std::vector<std::string> all;
    for (int i = 0; i < count; ++i) {
      for (auto& line : next_second()) all.push_back(line);
    }
    return all;
  }
  Snapshot before, after;
  AlertSigns signs{.before = before, .after = after, .elevator = ""};
  cli::AlertWatch watch;
};

TEST_F(AlertWatch, NothingIsWrong) {
  EXPECT_THAT(seconds(100), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty());
}

TEST_F(AlertWatch, AStarvedFlowIsToldAtOnceAndOnce) {
  after.flows[0].counters.starved = 500ms;
  EXPECT_THAT(next_second(), ElementsAre("fio[7] has waited over a second with nothing done for it"));
  EXPECT_EQ(watch.standing().size(), 1U);
  before.flows[0].counters.starved = 500ms;
  EXPECT_THAT(seconds(9), IsEmpty());
  EXPECT_EQ(watch.standing().size(), 1U);
  EXPECT_THAT(seconds(2), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty()) << "over since ten seconds";
  after.flows[0].counters.starved = 900ms;
  EXPECT_THAT(next_second(), IsEmpty()) << "told before";
  EXPECT_EQ(watch.standing().size(), 1U);
}

TEST_F(AlertWatch, ADiskThatIsNotWhatItWasMustStaySoForHalfAMinute) {
  after.slowness = 2.96;
  EXPECT_THAT(seconds(9), IsEmpty());
  before.slowness = 2.96;  // it rests: that is the last that was seen
  EXPECT_THAT(seconds(200), IsEmpty());
  before.slowness = 1;
  EXPECT_THAT(seconds(29), IsEmpty());
  EXPECT_THAT(seconds(2), ElementsAre(HasSubstr("the disk takes 3 times as long as its profile says")));
  after.slowness = 0.5;
  EXPECT_THAT(seconds(200), IsEmpty()) << "the same matter";
  EXPECT_THAT(watch.standing(), ElementsAre(HasSubstr("0.5 times")));
}

TEST_F(AlertWatch, ADiskLooksSlowWhereItsAnswersWaitForAProcessor) {
  after.slowness = 2.96;
  signs.machine.processor_use = 0.95;
  EXPECT_THAT(seconds(200), IsEmpty());
}

TEST(ProfileDoubt, BeginsBeyondTheProfilesErrorAndEndsWithinHalfOfIt) {
  for (const auto confidence : {sched::Confidence::high, sched::Confidence::low, sched::Confidence::none}) {
    const double error = cli::error_of(confidence);
    for (const double off : {error, 1 / error}) {
      cli::ProfileDoubt doubt{error};
      const auto seconds = [&doubt](int count, double slowness) {
        for (int i = 0; i < count; ++i) doubt.add(1, slowness, 0.1);
      };
      seconds(500, std::pow(off, 0.98));
      EXPECT_FALSE(doubt.factor()) << error;
      seconds(500, std::pow(off, 1.02));
      ASSERT_TRUE(doubt.factor()) << error;
      EXPECT_NEAR(*doubt.factor(), std::pow(off, 1.02), 0.01);
      seconds(500, std::pow(off, 0.6));
      EXPECT_TRUE(doubt.factor()) << error;
      seconds(500, std::pow(off, 0.4));
      EXPECT_FALSE(doubt.factor()) << error;
    }
  }
}

TEST(ProfileDoubt, OneSlowSecondOfFourIsTheMeanOfThem) {
  cli::ProfileDoubt doubt{1.25};
  for (int i = 0; i < 400; ++i) {
    doubt.add(1.5, i % 4 == 0 ? 1.9 : 1.0001, 0.1);  // 1.9^(1/4) = 1.17
    EXPECT_FALSE(doubt.factor()) << i;
  }
}

// ---- processors -------------------------------------------------------------------------------------------------

/// Two flows that keep a backlog on a disk that takes 16 at once, for a second.
class ProcessorsAreTheLimit : public testing::Test {
 protected:
  ProcessorsAreTheLimit() {
    before.depth = 16;
    before.flows.resize(2);
    for (int i : {0, 1}) before.flows[static_cast<std::size_t>(i)].key = static_cast<std::uint64_t>(i);
    after = before;
    after.taken = before.taken + 1s;
    for (auto& flow : after.flows) flow.counters.active = flow.counters.backlogged = 900ms;
  }
  [[nodiscard]] bool is(double use, std::optional<double> queue) const {
    return cli::processors_are_the_limit(before, after, {use, queue});
  }
  Snapshot before, after;
};

TEST_F(ProcessorsAreTheLimit, WhereTheyAreFullAndTheDiskIsNot) {
  EXPECT_TRUE(is(1, 1.2));
  EXPECT_FALSE(is(0.8, 1.2)) << "there is a processor to be had";
  EXPECT_FALSE(is(1, 12)) << "the disk has all it can do, too";
  before.in_flight = after.in_flight = 16;
  EXPECT_TRUE(is(1, 1.2)) << "done and not yet seen";
  EXPECT_FALSE(is(1, std::nullopt)) << "no other count than ours";
  before.in_flight = after.in_flight = 3;
  EXPECT_TRUE(is(1, std::nullopt));
}

TEST_F(ProcessorsAreTheLimit, NotForOneFlowAlone) {
  after.flows[1].counters.active = after.flows[1].counters.backlogged = 10ms;
  EXPECT_FALSE(is(1, 1.2));
}

TEST_F(ProcessorsAreTheLimit, OneRequestAtATimeIsInTheDiskOrNot) {
  for (auto& flow : after.flows) flow.counters.backlogged = 0s;
  EXPECT_TRUE(is(1, 0.4)) << "most of the time neither has a request there";
  EXPECT_FALSE(is(1, 1.8)) << "they wait for the disk, which has one of each";
}

TEST_F(ProcessorsAreTheLimit, NotInNoTime) {
  after.taken = before.taken;
  EXPECT_FALSE(is(1, 1.2));
}

TEST_F(AlertWatch, FullProcessorsThatLast) {
  after.depth = 16;
  after.flows.resize(2);
  after.flows[1].key = 2;
  before.flows = after.flows;
  for (auto& flow : after.flows) flow.counters.active = flow.counters.backlogged = 900ms;
  signs.machine = {0.956, 1.0};
  EXPECT_THAT(seconds(9), IsEmpty());
  EXPECT_THAT(seconds(2), ElementsAre("weights have little effect: the disk isn't the limit, the processors are: "
                                      "96 % busy"));
  signs.scheduling = false;
  EXPECT_THAT(seconds(11), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty()) << "no weights, no effect";
}

TEST(ProcessorUse, IsWhatIsNeitherIdleNorWaitingForADisk) {
  cli::ProcessorUse use;
  EXPECT_EQ(use.add("cpu  100 0 100 1000 50 0 0 0 0 0"), 0);
  // 20 of 100 ticks: 5 user, 5 nice, 4 system, 2 irq, 3 softirq, 1 steal. Guests' 7 are in user, too.
  EXPECT_NEAR(use.add("cpu  105 5 104 1060 70 2 3 1 7 7\ncpu0 9 9 9 9"), 0.2, 1e-9);
  EXPECT_EQ(use.add("cpu  205 5 104 1060 70 2 3 1"), 1);
  EXPECT_EQ(use.add("cpu  205 5 104 1060 70 2 3 1"), 0) << "no time has passed";
  EXPECT_EQ(use.add("intr 5"), 0);
  EXPECT_EQ(use.add(""), 0);
  EXPECT_FALSE(cli::processor_times("cpu 1 2 3"));
}

TEST_F(AlertWatch, OthersTraffic) {
  signs.disk_bytes_per_s = 100e6;
  signs.foreign_bytes_per_s = 20e6;
  EXPECT_THAT(seconds(30), IsEmpty()) << "a fifth";
  signs.foreign_bytes_per_s = 60e6;
  EXPECT_THAT(seconds(11), ElementsAre("the disk is used past this mount: 57M/s of 95M/s; weights don't reach that"));
  signs.disk_bytes_per_s = signs.foreign_bytes_per_s = 900e3;
  EXPECT_THAT(seconds(30), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty()) << "too little to matter";
}

TEST_F(AlertWatch, BfqUnderneath) {
  signs.elevator = "mq-deadline";
  EXPECT_THAT(seconds(3), IsEmpty());
  signs.elevator = "bfq";
  EXPECT_THAT(next_second(), ElementsAre(HasSubstr("bfq underneath")));
}

TEST_F(AlertWatch, WeightsWithoutEffectForWhoeverHasSome) {
  after.flows[0].counters.active = 1s;
  EXPECT_THAT(seconds(40), IsEmpty()) << "nobody gave weights";
  signs.has_rules = true;
  EXPECT_THAT(seconds(31), ElementsAre("weights have been without effect for half a minute: only one active flow"));
  after.flows[0].counters.active = 0s;
  EXPECT_THAT(seconds(40), IsEmpty()) << "an idle disk needs no weights";
  after.flows[0].counters.cached = 1;
  EXPECT_THAT(seconds(31), ElementsAre(HasSubstr("all reads cached")));
}

TEST_F(AlertWatch, NamesThatAnybodyMayTake) {
  const auto rules = cli::parse_weights(
      "[[rule]]\ncommand = \"rsync\"\nweight = 5\n[[rule]]\ncommand = \"cp\"\nuser = 0\nweight = 5\n"
      "[[rule]]\ncommand = \"dd\"\nexe = \"/bin/dd\"\nweight = 5\n[[rule]]\ncgroup = \"/x\"\nweight = 5\n",
      "w.toml");
  const auto lines = cli::forgeable_rules(rules, "w.toml");
  EXPECT_THAT(lines, ElementsAre("w.toml:1: any user may call a program 'rsync': add user or exe to the rule"));
  watch.set_forgeable(lines);
  EXPECT_EQ(seconds(5), lines);
  watch.set_forgeable({});
  EXPECT_THAT(seconds(11), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty());
}

TEST_F(AlertWatch, AWeightsFileThatIsBrokenUntilItIsMended) {
  for (const char* error : {"w.toml:1:1: first", "w.toml:2:2: second"}) {
    watch.set_weights_error(error);
    EXPECT_THAT(seconds(2), IsEmpty()) << "whoever read it has logged it";
    EXPECT_THAT(watch.standing(), ElementsAre("the weights file is not in force: " + std::string{error}));
  }
  watch.set_weights_error("");
  EXPECT_THAT(next_second(), IsEmpty());
  EXPECT_THAT(watch.standing(), IsEmpty());
}

/// A disk's counters, a second at a time.
struct Traffic {
  cli::ForeignTraffic foreign;
  cli::DiskCounters counters;
  double after_seconds(int count, std::uint64_t device_read, std::uint64_t device_written, std::uint64_t own_read,
                       std::uint64_t own_dirtied, std::uint64_t changes = 0) {
    for (int i = 0; i < count; ++i) {
      foreign.add(counters, 1s);
      counters.device_read += device_read;
      counters.device_written += device_written;
      counters.own_read += own_read;
      counters.own_dirtied += own_dirtied;
      counters.own_changes += changes;
    }
    foreign.add(counters, 1s);
    return foreign.foreign_bytes_per_s();
  }
};

constexpr std::uint64_t kMega = 1'000'000;

TEST(ForeignTraffic, OursIsNotForeign) {
  EXPECT_DOUBLE_EQ((Traffic{}.after_seconds(30, 100 * kMega, 50 * kMega, 100 * kMega, 50 * kMega)), 0);
  EXPECT_NEAR(Traffic{}.foreign.device_bytes_per_s(), 0, 1);
}

TEST(ForeignTraffic, WhatIsMoreIs) {
  Traffic traffic;
  EXPECT_NEAR(traffic.after_seconds(30, 100 * kMega, 0, 60 * kMega, 0), 40e6, 1e5);
  EXPECT_NEAR(traffic.foreign.device_bytes_per_s(), 100e6, 1e5);
  EXPECT_NEAR(Traffic{}.after_seconds(30, 0, 70 * kMega, 0, 50 * kMega), 20e6, 1e5);
}

TEST(ForeignTraffic, OurWritesMayComeLate) {
  Traffic traffic;
  (void)traffic.after_seconds(10, 0, 0, 0, 100 * kMega);  // dirtied, not written
  EXPECT_DOUBLE_EQ(traffic.after_seconds(5, 0, 100 * kMega, 0, 0), 0);
  (void)traffic.after_seconds(100, 0, 0, 0, 0);  // what is left of it will never be written
  EXPECT_GT(traffic.after_seconds(10, 0, 100 * kMega, 0, 0), 90e6);
}

TEST(ForeignTraffic, TheJournalsShareOfOurChangesIsOurs) {
  // 1,000 fsyncs a second of 4 KiB, each with 12 KiB of journal.
  EXPECT_DOUBLE_EQ(Traffic{}.after_seconds(30, 0, 16'000 * 1024, 0, 4'000 * 1024, 1000), 0);
}

TEST(ForeignTraffic, ADeviceThatCountsAnewIsNoTraffic) {
  Traffic traffic;
  (void)traffic.after_seconds(3, kMega, 0, 0, 0);
  traffic.counters.device_read = 0;
  EXPECT_LT(traffic.after_seconds(1, 0, 0, 0, 0), 1e6);
}

TEST(ObservedDisk, ElevatorIsTheWordInBrackets) {
  EXPECT_EQ(cli::chosen_elevator("none [mq-deadline] kyber bfq\n"), "mq-deadline");
  EXPECT_EQ(cli::chosen_elevator("[none] \n"), "none");
  EXPECT_EQ(cli::chosen_elevator("none\n"), "");
  EXPECT_EQ(cli::chosen_elevator("] ["), "");
}

TEST(ObservedDisk, MemoryHasNone) {
  const cli::ObservedDisk memory{"/proc"};
  EXPECT_EQ(memory.name(), "");
  EXPECT_FALSE(memory.counters());
  EXPECT_EQ(memory.elevator(), "");
}

}  // namespace
}  // namespace fairfs::test
