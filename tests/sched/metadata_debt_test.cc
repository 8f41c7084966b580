// What look-ups take of the disk is owed, and paid by data requests and by time.
#include <gtest/gtest.h>

#include <chrono>

#include "tests/sched/flat_disk.h"
#include "tests/sched/modelled_disks.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::NodeId;

// Equal weights: 10 ms of look-ups are made good when the other has had 10 ms.
TEST(MetadataDebt, IsPaidByLeavingTheDiskToOthers) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 100), reader = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(reader, 2);
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 0ms);
  disk.now += 10ms;
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 10ms, disk.now), 10ms);
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 10ms);
  disk.now += 4ms;
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 6ms);
  disk.now += 6ms;
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 0ms);
  EXPECT_EQ(disk.scheduler.service(finder).device_time, 10ms);
}

// 10 beside 100: what it took has to be ten times as much for the other, in steps of 50 ms at most.
TEST(MetadataDebt, IsPaidByWeightAndInBoundedSteps) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 10), reader = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(reader, 2);
  disk.scheduler.charge_metadata(finder, 8ms, disk.now);
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 50ms);
  disk.now += 50ms;
  EXPECT_NEAR(static_cast<double>(disk.scheduler.metadata_delay(finder, disk.now) / 1us), 30'000, 10);
  disk.now += 31ms;
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 0ms);
}

// A quarter of a half: seven eighths are the others'.
TEST(MetadataDebt, CountsTheGroupsAbove) {
  FlatDisk disk;
  const NodeId group = disk.scheduler.add_group(kRoot, 100), other = disk.scheduler.add_group(kRoot, 100);
  const NodeId finder = disk.scheduler.add_flow(group, 100);
  disk.submit(disk.scheduler.add_flow(group, 300), 1);
  disk.submit(disk.scheduler.add_flow(other, 100), 1);
  disk.scheduler.charge_metadata(finder, 2ms, disk.now);
  EXPECT_NEAR(static_cast<double>(disk.scheduler.metadata_delay(finder, disk.now) / 1us), 14'000, 1);
}

TEST(MetadataDebt, IsNoneWhileNobodyElseWantsTheDisk) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 10), reader = disk.scheduler.add_flow(kRoot, 100);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 10ms, disk.now), 0ms);
  EXPECT_EQ(disk.scheduler.service(finder).device_time, 10ms);
  disk.submit(finder, 1);  // its own request is nobody else's
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 10ms, disk.now), 0ms);
  disk.serve();

  disk.submit(reader, 1);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 10ms, disk.now), 10ms);
  disk.serve();  // and the reader is gone
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 0ms);
}

TEST(MetadataDebt, LooksThatMemoryAnswersAreFree) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 10);
  disk.submit(disk.scheduler.add_flow(kRoot, 100), 1);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 99us, disk.now), 0ms);
  EXPECT_EQ(disk.scheduler.service(finder).device_time, 0ms);
}

// As any debt: 10 ms at 1 ms a turn, while the other has two turns for each.
TEST(MetadataDebt, IsPaidByDataRequests) {
  FlatDisk disk;
  const NodeId a = disk.scheduler.add_flow(kRoot, 100), b = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(a, 2);
  disk.submit(b, 2);
  disk.scheduler.charge_metadata(a, 10ms, disk.now);
  EXPECT_NEAR(disk.turns_of(a, 30), 10, 1);
  EXPECT_NEAR(disk.turns_of(a, 100), 50, 1);
  EXPECT_EQ(disk.scheduler.metadata_delay(a, disk.now), 0ms);
}

// Its own requests are in the disk meanwhile: that leaves nothing to others.
TEST(MetadataDebt, IsNotPaidByTimeThatTheFlowUsesItself) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 100), reader = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(reader, 2);
  disk.submit(finder, 1);
  disk.scheduler.charge_metadata(finder, 10ms, disk.now);
  disk.now += 100ms;
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 10ms);
}

// A lower class is due what its floor is: 28 in a thousand, so 972 / 28 times as long.
TEST(MetadataDebt, ClassComesBeforeWeight) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 10000), reader = disk.scheduler.add_flow(kRoot, 1);
  disk.scheduler.set_class(finder, sched::ServiceClass::idle);
  disk.now += 1s;
  disk.submit(reader, 2);
  disk.scheduler.charge_metadata(finder, 1ms, disk.now);
  EXPECT_NEAR(static_cast<double>(disk.scheduler.metadata_delay(finder, disk.now) / 1us), 34'714, 10);

  disk.scheduler.set_class(finder, sched::ServiceClass::realtime);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 1ms, disk.now), 0ms);  // and a higher one owes nothing to a lower
}

// Beside a loan the others keep a third, of which a half is the finder's: five times as long, not 79 times.
TEST(MetadataDebt, BesideALoanTheOthersAreDueAThird) {
  sched::Scheduler scheduler(hard_disk().config);
  const NodeId finder = scheduler.add_flow(kRoot, 100), crowd = scheduler.add_flow(kRoot, 100);
  const NodeId newcomer = scheduler.add_flow(kRoot, 100);
  sched::Time now{};
  const auto read = [&](NodeId flow) {
    const auto place = static_cast<std::uint64_t>(now.time_since_epoch() / 1ms) * 1'000'000;
    scheduler.submit({.flow = flow, .inode = 1, .offset = place, .bytes = 4096}, now);
  };
  for (read(crowd), read(crowd); now < sched::Time{3s}; read(crowd)) {
    const auto served = std::get<sched::Dispatch>(scheduler.next(now));
    now += 10ms;
    scheduler.complete(served.id, now);
  }
  read(newcomer);
  EXPECT_EQ(scheduler.charge_metadata(finder, 2ms, now), 2ms);
  EXPECT_NEAR(static_cast<double>(scheduler.metadata_delay(finder, now) / 1us), 10'000, 20);
}

TEST(MetadataDebt, ADiskThatHangsIsNotHeldAgainstWhoeverMetIt) {
  FlatDisk disk;
  const NodeId finder = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(disk.scheduler.add_flow(kRoot, 100), 1);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 30s, disk.now), 250ms);
  for (int i = 0; i < 10; ++i) EXPECT_LE(disk.scheduler.charge_metadata(finder, 30s, disk.now), 1s);
}

// Eight look-ups at once take as long as one.
TEST(MetadataDebt, ADiskOfManyHeadsIsTakenUpInPart) {
  sched::SchedulerConfig config = flat_disk(1ms, 8);
  config.profile.parallelism = 8;
  FlatDisk disk(config);
  const NodeId finder = disk.scheduler.add_flow(kRoot, 100);
  disk.submit(disk.scheduler.add_flow(kRoot, 100), 1);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 8ms, disk.now), 1ms);
}

// Where streams have turns the head comes back to the stream: 12 ms more.
TEST(MetadataDebt, WhoInterruptsATurnOwesTheWayBack) {
  sched::Scheduler scheduler(hard_disk().config);
  const NodeId finder = scheduler.add_flow(kRoot, 100), reader = scheduler.add_flow(kRoot, 100);
  scheduler.submit({.flow = reader, .inode = 1, .bytes = 65536}, {});
  EXPECT_EQ(scheduler.charge_metadata(finder, 8ms, {}), 8ms);
  static_cast<void>(scheduler.next({}));
  EXPECT_EQ(scheduler.charge_metadata(finder, 8ms, {}), 28ms);
}

// The disk stands still for it meanwhile: only what it took is owed, and a delay would help nobody.
TEST(MetadataDebt, IsNotPaidByTimeInTheFlowsOwnTurn) {
  sched::Scheduler scheduler(hard_disk().config);
  const NodeId unpacker = scheduler.add_flow(kRoot, 100), reader = scheduler.add_flow(kRoot, 100);
  scheduler.submit({.flow = unpacker, .inode = 1, .bytes = 65536}, {});
  const auto own = std::get<sched::Dispatch>(scheduler.next({}));
  scheduler.submit({.flow = reader, .inode = 2, .bytes = 65536}, {});
  scheduler.complete(own.id, sched::Time{1ms});
  EXPECT_EQ(scheduler.charge_metadata(unpacker, 6ms, sched::Time{7ms}), 6ms);
  EXPECT_EQ(scheduler.metadata_delay(unpacker, sched::Time{7ms}), 0ms);
  // It stays away, and the turn is the other's.
  static_cast<void>(std::get<sched::Dispatch>(scheduler.next(sched::Time{10ms})));
  EXPECT_EQ(scheduler.metadata_delay(unpacker, sched::Time{10ms}), 3ms);
}

TEST(MetadataDebt, CanBeSwitchedOff) {
  sched::SchedulerConfig config = flat_disk(1ms, 1);
  config.features.metadata_debt = false;
  FlatDisk disk(config);
  const NodeId finder = disk.scheduler.add_flow(kRoot, 10);
  disk.submit(disk.scheduler.add_flow(kRoot, 100), 1);
  EXPECT_EQ(disk.scheduler.charge_metadata(finder, 10ms, disk.now), 0ms);
  EXPECT_EQ(disk.scheduler.metadata_delay(finder, disk.now), 0ms);
}

}  // namespace
}  // namespace fairfs::test
