// Real-time before best-effort before idle, before any weight; and nobody stands still.
#include <gtest/gtest.h>

#include <chrono>

#include "sched/class_floors.h"
#include "tests/sched/flat_disk.h"
#include "tests/sched/race.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::kRoot;
using sched::NodeId;
using sched::ServiceClass;

/// A flow of a class, in a group of its own weight, that always has something queued.
NodeId busy(FlatDisk& disk, ServiceClass service, sched::Weight weight) {
  const NodeId flow = disk.scheduler.add_flow(disk.scheduler.add_group(kRoot, weight), 100);
  disk.scheduler.set_class(flow, service);
  disk.submit(flow, 2);
  return flow;
}

TEST(Class, ComesBeforeWeightWhateverTheGroup) {
  sched::SchedulerConfig config = flat_disk(1ms, 1);
  config.features.class_floors = false;
  FlatDisk disk(config);
  busy(disk, ServiceClass::idle, 10000);
  busy(disk, ServiceClass::best_effort, 10000);
  const NodeId realtime = busy(disk, ServiceClass::realtime, 1);
  EXPECT_EQ(disk.turns_of(realtime, 1000), 1000);
}

TEST(Class, ComesBeforeWeightInsideAGroup) {
  FlatDisk disk;
  const NodeId group = disk.scheduler.add_group(kRoot, 100);
  const NodeId heavy = disk.scheduler.add_flow(group, 10000);
  const NodeId light = disk.scheduler.add_flow(group, 1);
  disk.scheduler.set_class(light, ServiceClass::realtime);
  disk.submit(heavy, 2);
  disk.submit(light, 2);
  EXPECT_GE(disk.turns_of(light, 30), 30);
}

TEST(Class, LowerOnesGetTheirFloor) {
  FlatDisk disk;
  const NodeId idle = busy(disk, ServiceClass::idle, 100);
  const NodeId normal = busy(disk, ServiceClass::best_effort, 100);
  const NodeId realtime = busy(disk, ServiceClass::realtime, 100);
  // Of 41 ms best-effort is owed 1 ms, for 40 ms x 25 / 1000.
  EXPECT_NEAR(disk.turns_of(normal, 4100), 100, 3);
  // idle: 20 / 1000 of what both others get.
  EXPECT_NEAR(disk.turns_of(idle, 5100), 100, 3);
  EXPECT_NEAR(disk.turns_of(realtime, 1000), 957, 3);
}

TEST(Class, AloneAnIdleFlowHasTheWholeDisk) {
  FlatDisk disk;
  const NodeId idle = busy(disk, ServiceClass::idle, 1);
  EXPECT_EQ(disk.turns_of(idle, 1000), 1000);
}

TEST(Class, AChangeTakesWhatIsQueuedAlong) {
  FlatDisk disk;
  const NodeId one = busy(disk, ServiceClass::best_effort, 100);
  const NodeId other = busy(disk, ServiceClass::best_effort, 100);
  disk.scheduler.set_class(one, ServiceClass::realtime);
  EXPECT_EQ(disk.turns_of(one, 30), 30);
  disk.scheduler.set_class(one, ServiceClass::idle);
  EXPECT_EQ(disk.turns_of(other, 30), 30);
  disk.scheduler.set_class(one, ServiceClass::best_effort);
  EXPECT_NEAR(disk.turns_of(one, 30), 15, 1);
}

// A higher class that costs next to nothing but is always there: age counts.
TEST(ClassFloors, ATurnAfterTenSecondsAtTheLatest) {
  sched::ClassFloors floors(true, 40ms);
  const auto all = [](unsigned) { return true; };
  EXPECT_EQ(floors.choose(all, sched::Time{}), ServiceClass::realtime);
  floors.served(ServiceClass::realtime, 1, sched::Time{});
  EXPECT_EQ(floors.choose(all, sched::Time{9s}), ServiceClass::realtime);
  EXPECT_NE(floors.choose(all, sched::Time{10s}), ServiceClass::realtime);
}

Workload of(ServiceClass service, Workload workload) {
  workload.service = service;
  return workload;
}
/// As a program that writes as fast as it can.
Workload writer() {
  return {.outstanding = 8,
          .bytes_min = 512 * 1024,
          .bytes_max = 512 * 1024,
          .operation = sched::Operation::write,
          .sequential = true};
}

TEST(ClassOnADisk, ARealTimeReaderIsAlmostAlone) {
  const double one = alone(hard_disk(), reader());
  const std::vector<double> both = Race(hard_disk(), {of(ServiceClass::realtime, reader()), writer()}).run();
  EXPECT_GE(both[0], one / 1.1);
  EXPECT_GE(both[1], 1);  // and the writer ends
}

TEST(ClassOnADisk, AnIdleBackupCostsAReaderLessThanATwentiethAndGoesOn) {
  const double one = alone(hard_disk(), reader());
  const Workload backup = of(ServiceClass::idle, reader());
  const std::vector<double> both = Race(hard_disk(), {reader(), backup}).run();
  EXPECT_GE(both[0], 0.95 * one);
  EXPECT_GE(both[1], 0.01 * one);
  EXPECT_GE(alone(hard_disk(), backup), one);
}

}  // namespace
}  // namespace fairfs::test
