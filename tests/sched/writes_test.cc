// Writers and flushes side by side on modelled disks: how long an fsync takes, and who gets how much.
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <string>

#include "tests/sched/modelled_disks.h"
#include "tests/sim/write_world.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;

constexpr sched::Duration kThink = 200us;  // of a program that opens, writes a line, closes

/// Nobody has measured it: the profile is that of a solid-state disk of 400 MB/s, without turns.
ModelledDisk unmeasured_hard_disk() {
  ModelledDisk disk = hard_disk();
  disk.config.profile = {};
  return disk;
}

/// One bus of 300 MB/s, 50 us until a request is on it.
ModelledDisk solid_state() {
  ModelledDisk disk;
  disk.device = {.seek = 50us, .bytes_per_s = 300'000'000};
  return disk;
}

WriteWorld world_of(const ModelledDisk& disk) {
  return {disk.config, std::make_unique<SimpleDevice>(disk.device, Seed{1})};
}

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// MB/s of `writers`, together, over the next `time`.
double rate(WriteWorld& world, std::size_t writers, sched::Duration time) {
  world.reset();
  world.run_for(time);
  double sum = 0;
  for (std::size_t i = 0; i < writers; ++i) sum += world.megabytes(i);
  return sum / std::chrono::duration<double>(time).count();
}

struct Named {
  std::string name;
  ModelledDisk disk;
  double fsync_ms;  ///< wanted of 95 in 100, beside writers
};
void PrintTo(const Named& named, std::ostream* out) { *out << named.name; }
class Writes : public ::testing::TestWithParam<Named> {};
INSTANTIATE_TEST_SUITE_P(On, Writes,
                         ::testing::Values(Named{"hdd", hard_disk(), 300},
                                           Named{"unmeasured", unmeasured_hard_disk(), 300},
                                           Named{"ssd", solid_state(), 30}),
                         [](const auto& info) { return info.param.name; });

// A finish tag kept it back four times as long as it takes: 1.05 s on the hard disk that nobody had measured.
TEST_P(Writes, AnFsyncNowAndThenIsShortBesideFourWriters) {
  constexpr std::size_t kWriters = 4;
  WriteWorld world = world_of(GetParam().disk);
  for (std::size_t i = 0; i < kWriters; ++i) world.add_writer();
  world.run_for(3s);
  const double alone = rate(world, kWriters, 10s);
  const std::size_t flusher = world.add_flusher(300ms);
  const double beside = rate(world, kWriters, 20s);
  const std::vector<double> took = world.flushes(flusher);
  EXPECT_GE(took.size(), 30U);
  EXPECT_LE(took[took.size() * 95 / 100], GetParam().fsync_ms);
  EXPECT_GE(beside / alone, 0.7);
}

// Two faults that this showed: writes charged at a guessed rate got thrice their share of a hard disk, and a window of
// 20 ms before each flush made it 137 times as slow on a solid-state disk.
TEST_P(Writes, ALoopOfFsyncsAndAWriterBothGoOn) {
  WriteWorld quiet = world_of(GetParam().disk);
  quiet.add_flusher(kThink);
  quiet.run_for(5s);
  WriteWorld world = world_of(GetParam().disk);
  world.add_writer();
  world.run_for(3s);
  const double alone = rate(world, 1, 5s);
  world.add_flusher(kThink);
  world.run_for(3s);
  const double beside = rate(world, 1, 10s);
  EXPECT_LE(mean(world.flushes(0)) / mean(quiet.flushes(0)), 3);
  // Half of the disk's time, less the way back to the writer's file: 12 ms of about 62, longer than on a real disk.
  EXPECT_GE(beside / alone, 0.38);
}

// A commit of the journal is for all that wait for it. Alone a loop makes one commit each time.
TEST_P(Writes, LoopsOfFsyncsShareCommits) {
  const auto fsyncs = [](std::size_t loops) {
    WriteWorld world = world_of(GetParam().disk);
    for (std::size_t i = 0; i < loops; ++i) world.add_flusher(kThink);
    world.run_for(10s);
    std::size_t all = 0;
    for (std::size_t i = 0; i < loops; ++i) all += world.flushes(i).size();
    return static_cast<double>(all);
  };
  EXPECT_GE(fsyncs(16) / fsyncs(1), 6);
}

TEST_P(Writes, WeightsDivideTheDisk) {
  for (const int light : {10, 20, 30, 40, 50}) {
    WriteWorld world = world_of(GetParam().disk);
    world.add_writer(static_cast<sched::Weight>(light));
    world.add_writer(static_cast<sched::Weight>(100 - light));
    world.run_for(3s);
    rate(world, 2, 10s);
    EXPECT_NEAR(world.megabytes(1) / world.megabytes(0) * light / (100 - light), 1, 0.05) << light;
  }
}

}  // namespace
}  // namespace fairfs::test
