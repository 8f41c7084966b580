// Real-time before best-effort before idle, before any weight; and nobody stands still.
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <vector>

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
  // idle: 28 / 1000 of what both others get.
  EXPECT_NEAR(disk.turns_of(idle, 5140), 140, 3);
  EXPECT_NEAR(disk.turns_of(realtime, 1000), 949, 3);
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

// Beside the reader's next requests the head would leave for it a second time.
TEST(ClassOnADisk, WhatAFloorsTurnHasInTheDiskEndsFirst) {
  sched::Scheduler scheduler(hard_disk().config);
  const NodeId reader = scheduler.add_flow(kRoot, 100), backup = scheduler.add_flow(kRoot, 100);
  scheduler.set_class(backup, ServiceClass::idle);
  sched::Time now{};
  constexpr std::uint64_t kBytes = 1 << 20;
  std::array<std::uint64_t, 3> asked{};
  const auto read = [&](NodeId flow) {
    const auto file = static_cast<std::uint64_t>(flow);
    scheduler.submit({.flow = flow, .inode = file, .offset = asked[file]++ * kBytes, .bytes = kBytes, .cookie = file},
                     now);
  };
  for (const NodeId flow : {reader, reader, backup, backup}) read(flow);
  std::vector<sched::RequestId> of_backup;
  sched::Decision decision = scheduler.next(now);
  while (const auto* const dispatch = std::get_if<sched::Dispatch>(&decision)) {
    const NodeId flow{static_cast<std::uint32_t>(dispatch->cookie)};
    if (flow == backup) {
      of_backup.push_back(dispatch->id);
    } else {
      ASSERT_TRUE(of_backup.empty());
      ASSERT_LT(now, sched::Time{10s});
      now += 9ms;
      scheduler.complete(dispatch->id, now);
    }
    read(flow);
    decision = scheduler.next(now);
  }
  EXPECT_EQ(std::get<sched::Sleep>(decision).reason, sched::Sleep::Reason::anticipating);
  EXPECT_NEAR(static_cast<double>(of_backup.size()), 6, 1);  // of 8.7 ms each, for 48 ms
  for (const sched::RequestId id : of_backup) scheduler.complete(id, now);
  EXPECT_EQ(std::get<sched::Dispatch>(scheduler.next(now)).cookie, static_cast<std::uint64_t>(reader));
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
