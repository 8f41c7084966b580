// The estimator on disks whose parallelism is known: as many as their channels, or one head and two.
#include "probe/estimator.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cmath>

#include "probe/verdict.h"
#include "tests/diskemu/model_spec.h"
#include "tests/probe/measure.h"
#include "tests/probe/mix.h"
#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using probe::DiskKind;
using probe::Estimator;
using sched::Confidence;
using sched::DiskProfile;

constexpr std::uint64_t kGibi = std::uint64_t{1} << 30;

SimulatedDisk modelled(const std::string& spec, std::uint64_t span = kGibi) {
  return SimulatedDisk{make_device(spec, kGibi), span};
}

class Channels : public testing::TestWithParam<std::uint32_t> {};

// Done when: P within 25 % and D* within a factor of 1.5 in 95 of 100 seeds.
TEST_P(Channels, AreCounted) {
  const double channels = GetParam();
  const SeedRange range = seeds(100);
  std::uint64_t off = 0;
  for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
    SimulatedDisk disk{std::make_unique<NoisyChannels>(GetParam(), 800us, seed), kGibi};
    const DiskProfile profile = measure(disk, seed).profile();
    const double factor = profile.depth / channels;
    if (std::abs(profile.parallelism / channels - 1) > 0.25 || factor > 1.5 || factor < 1 / 1.5) {
      ++off;
      RecordProperty("seed", static_cast<int>(seed));
    }
    EXPECT_EQ(profile.confidence, Confidence::high) << profile.reason;
    EXPECT_FALSE(profile.idle);
  }
  EXPECT_LE(off, (range.last - range.first + 1) / 20);
}

INSTANTIATE_TEST_SUITE_P(Powers, Channels, testing::Values(1, 2, 4, 8, 16, 24, 32, 64));

// A queue on one head only sorts its seeks.
TEST(Estimator, TellsOneSpindleFromTwo) {
  for (std::uint64_t seed = seeds(20).first; seed <= seeds(20).last; ++seed) {
    SimulatedDisk one = modelled("hdd"), two = modelled("raid0:2");
    const Estimator of_one = measure(one, seed), of_two = measure(two, seed);
    EXPECT_EQ(probe::kind_of(of_one.samples()), DiskKind::serial) << of_one.profile().reason;
    EXPECT_EQ(probe::kind_of(of_two.samples()), DiskKind::striped) << of_two.profile().reason;
    EXPECT_LT(of_one.profile().parallelism, 2) << seed;
    EXPECT_LT(of_one.profile().interleave_ratio, 0.4) << seed;
    EXPECT_LT(of_one.profile().interleave_ratio, of_two.profile().interleave_ratio) << seed;
    EXPECT_TRUE(of_one.profile().idle);
    EXPECT_EQ(of_one.profile().best_streams, 1U);
  }
}

TEST(Estimator, KeepsToItsTime) {
  for (const char* spec : {"hdd", "raid0:4", "ssd", "ssd:channels=24,read_us=800,write_us=800"}) {
    SimulatedDisk disk = modelled(spec);
    const Estimator estimator = measure(disk, 1);
    const bool slow = std::string{spec} == "hdd" || std::string{spec} == "raid0:4";
    EXPECT_LT(disk.now(), Time{slow ? 10600ms : 4800ms}) << spec;
    EXPECT_TRUE(estimator.profile().measured.sync) << spec;
  }
}

// Of a spindle's few seeks chance makes some rounds differ by more than a tenth; as a rule it must not.
TEST(Estimator, ADiskThatNobodyElseUsesIsTrusted) {
  for (const char* spec : {"hdd", "raid0:2", "raid0:4", "ssd"}) {
    const SeedRange range = seeds(20);
    std::uint64_t trusted = 0;
    for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
      SimulatedDisk disk = modelled(spec, kGibi / 4);
      trusted += measure(disk, seed).profile().confidence == Confidence::high ? 1U : 0U;
    }
    EXPECT_GE(trusted, (range.last - range.first + 1) * 3 / 4) << spec;
  }
}

// 8 channels of 800 us behind a bus of 300 MB/s: 10,000 small requests a second; a request of 128 KiB is 437 us of bus.
TEST(Estimator, GivesCostsThatTheModelledDiskWouldCharge) {
  SimulatedDisk disk = modelled("ssd:channels=8,read_us=800,write_us=800,mb_s=300");
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_NEAR(static_cast<double>(profile.read.bytes_per_s), 300e6, 10e6);
  EXPECT_NEAR(static_cast<double>(profile.read.least.count()), 100e3, 5e3);
  EXPECT_LT(profile.read.base_random, 20us);
  EXPECT_NEAR(static_cast<double>(profile.write.least.count()), 100e3, 5e3);
  EXPECT_NEAR(profile.parallelism, 8, 0.5);
  EXPECT_GE(profile.interleave_ratio, 0.9);
  EXPECT_GE(profile.best_streams, 8U);
  EXPECT_EQ(profile.switch_cost, 0us);
}

// A seek adds to the transfer: 4 KiB and 128 KiB at random differ by the transfer alone.
TEST(Estimator, ChargesASpindleSeekAndTransfer) {
  SimulatedDisk disk = modelled("hdd");
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_NEAR(static_cast<double>(profile.read.bytes_per_s), 120e6, 6e6);
  EXPECT_EQ(profile.read.least, 0us);
  EXPECT_GT(profile.read.base_random, 3ms);
  EXPECT_LT(profile.read.base_random, 10ms);
  EXPECT_GT(profile.switch_cost, 3ms);
  EXPECT_EQ(profile.read.base_sequential, 0us);
}

/// Disks that differ in kind, width and latency.
constexpr std::array kModels{"hdd",
                             "raid0:2",
                             "raid0:4",
                             "ssd",
                             "ssd:channels=1,read_us=800,write_us=800",
                             "ssd:channels=4,read_us=800,write_us=800",
                             "ssd:channels=8,read_us=800,write_us=800",
                             "ssd:channels=24,read_us=800,write_us=1600"};

// 4 KiB to 1 MiB, all at once: a busy disk gives one second of device time a second, and so should the model.
TEST(Estimator, CostsOfMixedSizesAreWithinAFifth) {
  const SeedRange range = seeds(3);
  for (const char* spec : kModels) {
    for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
      SimulatedDisk disk = modelled(spec, kGibi / 4);
      const DiskProfile profile = measure(disk, seed).profile();
      for (const unsigned writes : {0U, 30U, 100U}) {
        const Mix mix{.depth = profile.depth, .write_percent = writes};
        const double part = predicted_part(disk, profile, mix, 1000, seed);
        EXPECT_NEAR(part, 1, 0.2) << spec << ", seed " << seed << ", " << writes << " % writes";
      }
    }
  }
}

// A nearly full disk leaves room for a small file only: streams that come to its end must not be counted as slow.
TEST(Estimator, ASmallSpanHasTheSameBandwidth) {
  SimulatedDisk disk = modelled("raid0:4", 20 << 20);
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_NEAR(static_cast<double>(profile.read.bytes_per_s), 480e6, 30e6);
  EXPECT_NEAR(static_cast<double>(profile.write.bytes_per_s), 480e6, 60e6);
}

// Turning a disk over to another stream is a seek and half a rotation, with several heads for each of them. Of one head
// it is at least what that takes across the disk: within a quarter of a GiB 6 to 8 ms were seen, and turns too short.
TEST(Estimator, EachHeadHasToTurn) {
  for (const auto& [spec, heads] : {std::pair{"hdd", 1}, {"raid0:2", 2}, {"raid0:4", 4}, {"raid0:8", 8}}) {
    for (std::uint64_t seed = seeds(10).first; seed <= seeds(10).last; ++seed) {
      SimulatedDisk disk = modelled(spec, kGibi / 4);
      const DiskProfile profile = measure(disk, seed).profile();
      EXPECT_GT(profile.switch_cost, heads == 1 ? 11ms : heads * 4ms) << spec << ", seed " << seed;
      EXPECT_LE(profile.switch_cost, heads * 12ms) << spec << ", seed " << seed;
    }
  }
}

// Files may lie anywhere on the disk and close together or far apart: the verdict on streams is the same.
TEST(Estimator, WhereTheFilesLieChangesNoVerdict) {
  const SeedRange range = seeds(5);
  for (const char* spec : {"hdd", "raid0:2", "raid0:4", "ssd"}) {
    const bool heads = std::string{spec} != "ssd";
    for (const std::uint64_t capacity : {kGibi, 1024 * kGibi}) {
      for (const std::uint64_t span : {kGibi / 32, kGibi / 4, kGibi}) {
        for (std::uint64_t seed = range.first; seed <= range.last; ++seed) {
          SimulatedDisk disk{make_device(spec, capacity), span};
          const DiskProfile profile = measure(disk, seed).profile();
          EXPECT_EQ(profile.idle, heads) << spec << ", seed " << seed << ": " << profile.reason;
          if (heads) {
            EXPECT_LT(profile.interleave_ratio, 0.75) << spec << ", seed " << seed;
          }
        }
      }
    }
  }
}

TEST(Estimator, TheLastVerdictStaysBetweenTheLimits) {
  const auto idle_at = [](double ratio, bool before) {
    probe::Samples samples;
    const auto add = [&samples](const probe::Trial& trial, std::uint32_t completions) {
      samples.add(trial, {.completions = completions, .elapsed = 1s, .latency = 1s * trial.depth, .took = 1s});
    };
    add(probe::random_trial(probe::Operation::read, 1), 1000);
    add(probe::bandwidth_trial(probe::Operation::read), 100);
    for (const std::uint32_t streams : {1U, 2U, 4U}) {
      add(probe::streams_trial(streams), streams == 2 ? static_cast<std::uint32_t>(std::lround(1000 * ratio)) : 1000);
    }
    return probe::judge(samples, 1, before).idle;
  };
  EXPECT_TRUE(idle_at(0.84, false));
  EXPECT_FALSE(idle_at(0.87, false));
  EXPECT_TRUE(idle_at(0.87, true));
  EXPECT_FALSE(idle_at(0.90, true));
}

TEST(Estimator, RefusesWhatMemoryAnswers) {
  SimulatedDisk disk = modelled("ssd");
  disk.answers_from_memory = true;
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_EQ(profile.confidence, Confidence::none);
  EXPECT_EQ(profile.depth, DiskProfile{}.depth);
  EXPECT_EQ(profile.reason,
            "data does not come from the device: memory, holes or compressed data answer; defaults are taken");
}

TEST(Estimator, AFailingReadEndsTheProbe) {
  SimulatedDisk disk = modelled("ssd");
  disk.error = EIO;
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_EQ(profile.confidence, Confidence::none);
  EXPECT_EQ(profile.reason, "a request of the probe failed: Input/output error; defaults are taken");
}

TEST(Estimator, AFailingWriteLeavesTheReads) {
  SimulatedDisk disk = modelled("ssd");
  disk.error = ENOSPC;
  disk.failing = probe::Operation::write;
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_TRUE(profile.measured.reads);
  EXPECT_FALSE(profile.measured.writes);
  EXPECT_EQ(profile.confidence, Confidence::high);
  EXPECT_NE(profile.reason.find("; writes not measured: a request of the probe failed: No space left on device"),
            std::string::npos)
      << profile.reason;
  EXPECT_EQ(profile.write.bytes_per_s, profile.read.bytes_per_s);
}

TEST(Estimator, WithoutReadsNothingIsKnown) {
  SimulatedDisk disk = modelled("ssd");
  const DiskProfile profile = measure(disk, 1, {.reads = false, .writes = false}).profile();
  EXPECT_EQ(profile.confidence, Confidence::none);
  EXPECT_FALSE(profile.measured.reads);
}

// Somebody else's deep reads come and go every half a second.
TEST(Estimator, ADisturbedDiskIsNotTrusted) {
  SimulatedDisk disk = modelled("ssd:channels=4,read_us=800,write_us=800,mb_s=300");
  std::uint64_t id = std::uint64_t{1} << 32;
  Time last{};
  disk.others = [&](Device& device, Time now) {
    const bool active = now.time_since_epoch() / 500ms % 2 == 1;
    if (!active || now - last < 1ms) return;
    last = now;
    for (int i = 0; i < 4; ++i) device.submit({id++, IoKind::read, 0, 4096}, now);
  };
  const DiskProfile profile = measure(disk, 1).profile();
  EXPECT_EQ(profile.confidence, Confidence::low);
  EXPECT_NE(profile.reason.find("; rounds differ by "), std::string::npos) << profile.reason;
}

TEST(Estimator, SaysWhenTimeWasUp) {
  SimulatedDisk disk = modelled("ssd");
  probe::EstimatorConfig config;
  config.budget_fast = 1500ms;
  const DiskProfile some = measure(disk, 1, config).profile();
  EXPECT_EQ(some.confidence, Confidence::low);
  EXPECT_NE(some.reason.find("; time was up"), std::string::npos) << some.reason;
  config.budget_fast = 100ms;
  const DiskProfile none = measure(disk, 1, config).profile();
  EXPECT_EQ(none.confidence, Confidence::none);
  EXPECT_EQ(none.reason, "there was no time to measure reads; defaults are taken");
}

}  // namespace
}  // namespace fairfs::test
