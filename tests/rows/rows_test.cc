// The table of workloads that the scheduler must win (sched/README.md), in the simulator: the models of the scenarios'
// disks, what the probe says of them, and no kernel between.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <utility>

#include "tests/rows/contest.h"
#include "tests/sim/latency_oracle.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::Weight;
using testing::DoubleNear;
using testing::Each;

constexpr const char* kHdd = "hdd";
constexpr const char* kRaid = "raid0:4";
constexpr const char* kRaidWithCache = "raid0:4,cache_mb=256,battery=1";
constexpr const char* kSsd = "ssd";
constexpr const char* kSlowSsd = "ssd:channels=8,read_us=800,write_us=800,mb_s=300";

std::vector<Workload> eight(const Workload& workload) { return std::vector<Workload>(8, workload); }

TEST(Rows, OneAndTwoEightStreamsOnAHardDisk) {
  for (const auto think : {0ms, 1ms}) {
    const std::vector<double> each = Contest(Setting(kHdd), eight(stream(think))).run();
    EXPECT_GE(sum(each), 0.85 * alone(Setting(kHdd), stream(think))) << think.count() << " ms think time";
    EXPECT_THAT(each, Each(DoubleNear(sum(each) / 8, sum(each) / 80)));
  }
}

TEST(Rows, ThreeEightStreamsOnARaid) {
  for (const auto think : {0ms, 1ms}) {
    const double off = sum(Contest(Setting(kRaid).off(), eight(stream(think))).run());
    const double fair = sum(Contest(Setting(kRaid), eight(stream(think))).run());
    EXPECT_GE(fair, std::max(0.95 * off, 0.85 * alone(Setting(kRaid), stream(think)))) << think.count() << " ms";
  }
}

/// aio-stress: four files, one write of 4 KiB in flight to each.
Workload aio_stress(sched::Duration think) {
  return {
      .outstanding = 4, .think = think + 100us, .files = 4, .operation = sched::Operation::write, .sequential = true};
}

TEST(Rows, FourEightTimesAioStress) {
  for (const auto think : {0ms, 1ms}) {
    Setting hdd(kHdd);
    hdd.disk.file_bytes = 64 << 20;
    EXPECT_GE(sum(Contest(hdd, eight(aio_stress(think))).run()), 0.95 * alone(hdd, aio_stress(think)));
    for (const char* model : {kRaidWithCache, kSsd, kSlowSsd}) {
      Setting setting(model);
      setting.disk.file_bytes = 64 << 20;
      const double off = sum(Contest(setting.off(), eight(aio_stress(think))).run(4s));
      EXPECT_GE(sum(Contest(setting, eight(aio_stress(think))).run(4s)), 0.95 * off) << model;
    }
  }
}

TEST(Rows, FiveFlashLosesNothing) {
  for (const char* model : {kSsd, kSlowSsd}) {
    for (const Workload& workload : {stream(), stream(1ms), scattered(1)}) {
      for (const std::size_t readers : {1, 2, 4, 8}) {
        const std::vector<Workload> all(readers, workload);
        EXPECT_GE(sum(Contest(Setting(model), all).run(5s)), 0.95 * sum(Contest(Setting(model).off(), all).run(5s)))
            << model << ", " << readers << " readers";
      }
    }
  }
}

// The seed's two readers of depth 64.
TEST(Rows, SixWeightsHoldToThreePercentOnFlash) {
  for (const auto& [first, second] : {std::pair{10, 90}, {20, 80}, {30, 70}, {40, 60}, {50, 50}}) {
    const std::vector<Workload> both(2, scattered(64));
    Contest contest(Setting(kSlowSsd), both, {static_cast<Weight>(first), static_cast<Weight>(second)});
    const std::vector<double> each = contest.run();
    EXPECT_NEAR(each[1] / each[0] * first / second, 1, 0.03) << first << ':' << second;
    EXPECT_GE(sum(each), 0.97 * sum(Contest(Setting(kSlowSsd).off(), both).run(5s))) << first << ':' << second;
  }
}

/// The part of the emulated disk's time that a reader of depth 64 has beside a group of 15 of depth 1, who start one
/// after the other.
double deep_part(const Setting& setting, sched::Duration apart = {}) {
  Contest depths{setting};
  const sched::NodeId one = depths.simulation.add_group(kRoot, 100), other = depths.simulation.add_group(kRoot, 100);
  depths.add(scattered(64), 100, one);
  for (int i = 1; i <= 15; ++i) {
    Workload shallow = scattered(1);
    shallow.start = i * apart;
    depths.add(shallow, 100, other);
  }
  depths.run(1s + 15 * apart);
  depths.run();
  return depths.worked()[0] / sum(depths.worked());
}

// What the medium worked for each, by the emulator's accounts.
TEST(Rows, SevenUnequalWorkGetsEqualTime) {
  for (const char* model : {kHdd, kSlowSsd}) {
    Contest sizes(Setting(model), {scattered(64), scattered(64, 256 * 1024)});
    sizes.run(100s);
    EXPECT_NEAR(sizes.worked()[0] / sizes.worked()[1], 1, 0.05) << model << ": 4 KiB against 256 KiB";
    for (const sched::Duration apart : {0ms, 150ms, 300ms}) {
      EXPECT_NEAR(deep_part(Setting(model), apart), 0.5, 0.025)
          << model << ": depth 64 against 15 of depth 1 that start " << apart / 1ms << " ms apart";
    }
  }
  for (const char* model : {kHdd, kSsd, kSlowSsd}) {
    Contest weights(Setting(model), {scattered(64), scattered(64), scattered(64)}, {100, 200, 500});
    weights.run();
    EXPECT_NEAR(weights.worked()[1] / weights.worked()[0], 2, 0.1) << model;
    EXPECT_NEAR(weights.worked()[2] / weights.worked()[0], 5, 0.25) << model;
  }
}

// A head sorts what a deep queue shows it, so that each request takes less than the model says.
TEST(Rows, SevenWithoutLookingAtTheHeadADeepQueueGetsLess) {
  Setting by_model(kHdd);
  by_model.features.head_time = false;
  EXPECT_LT(deep_part(by_model), 0.45);
}

// Slots full of large requests would leave the small ones of a shallow queue no share to speak of (0.03 of it).
TEST(Rows, SevenAShallowQueueOfSmallRequestsBesideLargeOnes) {
  const auto small_part = [](const Setting& setting) {
    Contest contest(setting, {scattered(16), scattered(16, 256 * 1024)});
    const double total = sum(contest.run());
    return std::pair{contest.worked()[0] / sum(contest.worked()), total};
  };
  Setting unlimited(kSsd);
  unlimited.features.work_limit = false;
  EXPECT_LT(small_part(unlimited).first, 0.03);
  EXPECT_GT(small_part(Setting(kSsd)).first, 0.15);
  EXPECT_GT(small_part(Setting(kSsd)).second, 0.95 * small_part(unlimited).second);
}

/// A random reader of weight 900 that thinks before each request beside two of depth 8 and weight 50.
struct Thinker {
  double requests = 0;  ///< of the reader, a second
  double total = 0;     ///< of all
  double service = 0;   ///< ms, of the reader's requests
};
Thinker beside_a_thinker(bool injection, sched::Duration think) {
  Setting setting(kHdd);
  setting.features.injection = injection;
  Workload thinks = scattered(1);
  thinks.think = think;
  const std::vector<double> each = Contest(setting, {thinks, scattered(8), scattered(8)}, {900, 50, 50}).run();
  constexpr double kRequests = 1e6 / 4096;
  Thinker result;
  result.requests = each[0] * kRequests;
  result.total = sum(each) * kRequests;
  result.service = 1e3 / result.requests - std::chrono::duration<double, std::milli>(think).count();
  return result;
}

TEST(Rows, InjectionFillsTheTimeThatTheDiskIsHeld) {
  for (const auto& [think, more] : {std::pair{5ms, 1.04}, {6ms, 1.06}, {7ms, 1.08}}) {
    const Thinker held = beside_a_thinker(false, think), filled = beside_a_thinker(true, think);
    EXPECT_GE(filled.total, more * held.total) << think.count() << " ms";
    EXPECT_GE(filled.requests, 0.92 * held.requests) << think.count() << " ms";
    EXPECT_LE(filled.service, 1.5 * held.service) << think.count() << " ms";
  }
}

// 8 ms that would be waited for after 2 ms of thinking are more than half of what a request takes.
TEST(Rows, InjectionIsNotTriedWhereItMustCostTooMuch) {
  EXPECT_DOUBLE_EQ(beside_a_thinker(true, 2ms).requests, beside_a_thinker(false, 2ms).requests);
}

TEST(Rows, EightWeightsShowInBytesOnAHardDisk) {
  Workload buffered = stream({}, 128 * 1024);
  buffered.outstanding = 2;  // the kernel's readahead
  const double one = alone(Setting(kHdd), stream());
  for (const Workload& workload : {stream(), buffered}) {
    for (const auto& [first, second] : {std::pair{10, 90}, {20, 80}, {30, 70}, {40, 60}, {50, 50}}) {
      const std::vector<double> each =
          Contest(Setting(kHdd), {workload, workload}, {static_cast<Weight>(first), static_cast<Weight>(second)}).run();
      EXPECT_NEAR(each[1] / each[0] * first / second, 1, 0.05) << first << ':' << second;
      EXPECT_GE(sum(each), 0.8 * one);
    }
  }
}

// On a busy machine programs wait for a processor now and then, longer than the disk waits for them. Twenty seconds
// show the weights all the same, whenever they begin: two standard deviations are 5 %.
TEST(Rows, EightBufferedReadersThatTheProcessorKeepsWaiting) {
  Workload buffered = stream({}, 128 * 1024);
  buffered.outstanding = 2;
  buffered.bounded_wait = true;
  const double one = alone(Setting(kHdd), buffered);
  for (const auto& [busy, pause] : {std::pair{333ms, 12ms}, {1777ms, 12ms}, {1777ms, 24ms}, {5000ms, 20ms}}) {
    std::vector<Workload> both(2, buffered);
    both[0].pause = both[1].pause = pause;
    both[0].busy = busy;
    both[1].busy = busy + 37ms;  // now both at once, now one
    for (const auto& [first, second] : {std::pair{10, 90}, {20, 80}, {30, 70}, {40, 60}, {50, 50}}) {
      Contest contest(Setting(kHdd), both, {static_cast<Weight>(first), static_cast<Weight>(second)});
      constexpr int kWindows = 10;
      double squares = 0;
      for (int window = 0; window < kWindows; ++window) {
        const std::vector<double> each = contest.run();
        squares += std::pow(each[1] / each[0] * first / second - 1, 2);
        EXPECT_GE(sum(each), 0.8 * one);
      }
      EXPECT_LE(std::sqrt(squares / kWindows), 0.025) << first << ':' << second << ", " << pause / 1ms << " ms";
    }
  }
}

constexpr std::uint64_t kStartBytes = 20'000'000;
/// A program that starts: it reads 16 KiB, half of them behind the last, and needs each to know the next.
Workload start_up(sched::Duration when) {
  Workload workload = stream({}, 16 * 1024);
  workload.jump_percent = 50;
  workload.start = when;
  workload.ends_after = kStartBytes;
  return workload;
}

struct StartUp {
  double seconds = 0;
  double others = 0;  ///< MB/s, meanwhile
};
/// When ten others have read for 5 s.
StartUp start_beside(const Setting& setting, const Workload& reader, int readers) {
  Contest contest(setting, std::vector<Workload>(static_cast<std::size_t>(readers), reader));
  const sched::NodeId program = contest.simulation.add_flow(kRoot, 100, start_up(5s));
  const auto others = [&] {
    double bytes = 0;
    for (const sched::NodeId flow : contest.flows) bytes += static_cast<double>(contest.simulation.bytes(flow));
    return bytes;
  };
  contest.simulation.run_for(5s);
  const double before = others();
  StartUp result;
  while (contest.simulation.bytes(program) < kStartBytes && result.seconds < 100) {
    contest.simulation.run_for(5ms);
    result.seconds += 0.005;
  }
  result.others = (others() - before) / 1e6 / result.seconds;
  return result;
}

TEST(Rows, ElevenAProgramStartsBesideTenReaders) {
  Workload buffered = stream({}, 128 * 1024);
  buffered.outstanding = 2;
  buffered.bounded_wait = true;
  for (const auto& [model, times] : {std::pair{kHdd, 3.0}, {kRaid, 3.0}, {kSsd, 1.3}, {kSlowSsd, 1.3}}) {
    const double idle = start_beside(Setting(model), stream(), 0).seconds;
    for (const Workload& reader : {stream(), buffered}) {
      const StartUp fair = start_beside(Setting(model), reader, 10);
      EXPECT_LE(fair.seconds, times * idle) << model;
      EXPECT_GE(fair.others, 10) << model;  // who wait do not stand still
    }
  }
}

TEST(Rows, ElevenWithoutLoansItTakesTenTimesAsLong) {
  Setting strict(kHdd);
  strict.features.loans = false;
  EXPECT_GT(start_beside(strict, stream(), 10).seconds, 10 * start_beside(strict, stream(), 0).seconds);
}

// It goes on reading: two minutes later it has had its share, a quarter, and not what was lent on top.
TEST(Rows, ElevenWhatWasLentIsPaidBack) {
  Contest contest{Setting(kHdd)};
  for (int i = 0; i < 3; ++i) contest.add(scattered(8), 100);
  Workload late = scattered(1);
  late.start = 5s;
  late.bytes_min = late.bytes_max = 64 * 1024;
  contest.add(late, 100);
  Simulation& simulation = contest.simulation;
  simulation.run_for(5s);
  std::vector<sched::Duration> before;
  for (const sched::NodeId flow : contest.flows) before.push_back(simulation.received(flow));
  simulation.run_for(120s);
  std::vector<double> each;
  for (std::size_t i = 0; i < 4; ++i) {
    each.push_back(static_cast<double>((simulation.received(contest.flows[i]) - before[i]).count()));
  }
  EXPECT_NEAR(each[3] / sum(each), 0.25, 0.0125);
}

Workload of(sched::ServiceClass service, Workload workload) {
  workload.service = service;
  return workload;
}
/// A cp: the kernel reads ahead, 128 KiB twice.
Workload buffered_reader() {
  Workload workload = stream({}, 128 * 1024);
  workload.outstanding = 2;
  workload.bounded_wait = true;
  return workload;
}
/// A dd: write-behind's pieces.
Workload buffered_writer() {
  return {.outstanding = 4,
          .think = 100us,
          .bytes_min = 1 << 20,
          .bytes_max = 1 << 20,
          .operation = sched::Operation::write,
          .sequential = true,
          .bounded_wait = true,
          .buffered = true};
}

// BE0 against BE7 weigh 8 to 1.
TEST(Rows, NineAReaderAgainstABufferedWriter) {
  const auto slower = [](const Setting& setting, sched::ServiceClass service) {
    Contest contest(setting, {of(service, buffered_reader()), buffered_writer()}, {200, 25});
    contest.simulation.scheduler().set_write_window(2 << 20);
    const std::vector<double> each = contest.run();
    EXPECT_GE(each[1], 3.5);  // the writer goes on
    return alone(setting, buffered_reader()) / each[0];
  };
  for (const char* model : {kHdd, kRaid, kSsd, kSlowSsd}) {
    EXPECT_LE(slower(Setting(model), sched::ServiceClass::realtime), 1.1) << model;
  }
  for (const char* model : {kHdd, kRaid}) {
    EXPECT_LE(slower(Setting(model), sched::ServiceClass::best_effort), 1.25) << model;
  }
}

TEST(Rows, TenThreadsAndProcessesThatReadOneFileTogether) {
  const Workload whole = stream({}, 16 * 1024);
  for (const char* model : {kHdd, kRaid, kSsd, kSlowSsd}) {
    const double one = alone(Setting(model), whole);
    for (const std::uint32_t threads : {3, 5, 7, 9}) {
      Workload shared = whole;
      shared.outstanding = threads;
      EXPECT_GE(alone(Setting(model), shared), 0.97 * one) << model << ", threads: " << threads;
    }
    std::vector<Workload> zones(3, whole);
    for (std::size_t i = 0; i < zones.size(); ++i) {
      zones[i].shared_file = 1;
      zones[i].zones = zones.size();
      zones[i].zone = i;
      zones[i].zone_bytes = 16 * 1024;
    }
    EXPECT_GE(sum(Contest(Setting(model), zones).run()), 0.97 * one) << model << ", processes";
  }
}

// Each comes late now and then, as processes do. Out of step each waits for the others' zones to pass: 3 MB/s in all.
TEST(Rows, TenProcessesThatComeLateGetInStepAgain) {
  const Workload whole = stream({}, 16 * 1024);
  for (const auto pause : {500us, 1000us, 2000us}) {
    std::vector<Workload> zones(3, whole);
    for (std::size_t i = 0; i < zones.size(); ++i) {
      zones[i].shared_file = 1;
      zones[i].zones = zones.size();
      zones[i].zone = i;
      zones[i].zone_bytes = 16 * 1024;
      zones[i].busy = 47ms + i * 3ms;
      zones[i].pause = pause;
    }
    EXPECT_LT(sum(Contest(Setting(kHdd).off(), zones).run()), 5);
    EXPECT_GE(sum(Contest(Setting(kHdd), zones).run()), 0.97 * alone(Setting(kHdd), whole)) << pause.count() << " us";
  }
}

TEST(Rows, TwelveAnIdleBackupBesideAReader) {
  for (const char* model : {kHdd, kRaid, kSsd, kSlowSsd}) {
    const Setting setting(model);
    for (const Workload& reader : {buffered_reader(), stream(), stream(1ms), scattered(1), scattered(8)}) {
      const double one = alone(setting, reader);
      for (const Workload& program : {buffered_reader(), stream()}) {
        const Workload backup = of(sched::ServiceClass::idle, program);
        const std::vector<double> each = Contest(setting, {reader, backup}).run();
        EXPECT_GE(each[0], 0.95 * one) << model;
        EXPECT_GE(each[1], 0.01 * alone(setting, backup)) << model;
      }
    }
    EXPECT_GE(alone(setting, of(sched::ServiceClass::idle, buffered_reader())),
              0.99 * alone(setting, buffered_reader()));
  }
}

// Without looking, an idle class is as good as any where slots are free.
TEST(Rows, TwelveOnFlashItIsMeasurementThatKeepsTheBackupAway) {
  Setting blind(kSsd);
  blind.features.guests = false;
  const std::vector<double> each =
      Contest(blind, {buffered_reader(), of(sched::ServiceClass::idle, buffered_reader())}).run();
  EXPECT_LT(each[0], 0.6 * alone(blind, buffered_reader()));
}

TEST(Rows, TwelveAndLetsItInWhereItCostsNothing) {
  const Workload backup = of(sched::ServiceClass::idle, scattered(4));
  const std::vector<double> each = Contest(Setting(kSlowSsd), {scattered(1), backup}).run();
  EXPECT_GE(each[0], 0.95 * alone(Setting(kSlowSsd), scattered(1)));
  EXPECT_GE(each[1], 0.5 * alone(Setting(kSlowSsd), backup));
}

/// A find: of its look-ups one in `remembered` + 1 reads from the disk.
Workload finder(std::uint32_t remembered) {
  return {.outstanding = 1, .think = 50us, .metadata = true, .remembered = remembered};
}

TEST(Rows, ThirteenAFindBesideAReader) {
  for (const char* model : {kHdd, kRaid, kSsd, kSlowSsd}) {
    for (const Workload& reader : {stream(), buffered_reader()}) {
      const double one = alone(Setting(model), reader);
      for (const std::uint32_t remembered : {1, 4, 30}) {
        const std::vector<double> each = Contest(Setting(model), {reader, finder(remembered)}, {100, 10}).run();
        EXPECT_GE(each[0], 0.8 * one) << model << ", remembered: " << remembered;
        EXPECT_GE(each[1] * 1e6 / 4096, 1) << model << ", remembered: " << remembered;  // and the find goes on
      }
    }
  }
}

TEST(Rows, ThirteenWithoutDebtAFindOwnsTheDisk) {
  Setting free(kHdd);
  free.features.metadata_debt = false;
  const std::vector<double> each = Contest(free, {stream(), finder(4)}, {100, 10}).run();
  EXPECT_LT(each[0], 0.2 * alone(free, stream()));
}

TEST(Rows, FourteenFloorsAndCeilings) {
  const auto race = [](const char* model, const sched::Limits& limits, sched::Weight weight) {
    Contest contest(Setting(model), {stream(), buffered_reader(), buffered_reader()}, {weight, 100, 100});
    contest.simulation.scheduler().set_limits(contest.flows[0], limits, contest.simulation.now());
    return contest.run()[0];
  };
  for (const char* model : {kHdd, kRaid, kSsd, kSlowSsd}) {
    EXPECT_NEAR(race(model, {.max_read = 10'000'000}, 1000), 10, 0.5) << model;
    EXPECT_NEAR(race(model, {.max_iops = 100}, 1000), 6.55, 0.33) << model;
    EXPECT_GE(race(model, {.min_read = 20'000'000}, 1), 19) << model;
    EXPECT_GE(race(model, {.min_iops = 300}, 1), 0.95 * 19.7) << model;
  }
}

TEST(Rows, FourteenALatencyBesideAHog) {
  for (const char* model : {kSsd, kSlowSsd}) {
    for (const Workload& hog : {scattered(256), scattered(256, 256 * 1024), scattered(256, 1024 * 1024)}) {
      Contest contest(Setting(model), {scattered(1), hog});
      LatencyOracle latencies;
      contest.simulation.watch(latencies);
      contest.simulation.scheduler().set_limits(contest.flows[0], {.latency = 5ms}, contest.simulation.now());
      contest.run(5s);
      latencies.reset();
      const double rate = contest.run(5s)[1];
      EXPECT_LE(latencies.percentile(contest.flows[0], 0.95), 5) << model << ", " << hog.bytes_max << " bytes";
      EXPECT_GE(rate, 0.8 * alone(Setting(model), hog)) << model << ", " << hog.bytes_max << " bytes";
    }
  }
}

TEST(Rows, FourteenWithoutTheLatencyItIsNotMet) {
  Contest contest(Setting(kSsd), {scattered(1), scattered(256, 1024 * 1024)});
  LatencyOracle latencies;
  contest.simulation.watch(latencies);
  contest.run(5s);
  EXPECT_GT(latencies.percentile(contest.flows[0], 0.95), 6);
}

}  // namespace
}  // namespace fairfs::test
