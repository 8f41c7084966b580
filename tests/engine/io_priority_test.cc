#include "sched/engine/io_priority.h"

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <thread>

#include "sched/engine/process_table.h"

namespace fairfs::test {
namespace {

using engine::IoPriority;
using engine::priority_from;
using engine::scaled;
using sched::ServiceClass;

constexpr int set_to(int service, int level) { return service << 13 | level; }

TEST(IoPriority, WhatIoniceSetCounts) {
  EXPECT_EQ(priority_from(set_to(1, 0), SCHED_OTHER, 19), (IoPriority{ServiceClass::realtime, 0}));
  EXPECT_EQ(priority_from(set_to(2, 7), SCHED_IDLE, 0), (IoPriority{ServiceClass::best_effort, 7}));
  EXPECT_EQ(priority_from(set_to(3, 0), SCHED_FIFO, 0).service, ServiceClass::idle);
}

// Table of the kernel's task_nice_ioprio: (nice + 20) / 5.
TEST(IoPriority, ElseItFollowsFromTheProcessor) {
  EXPECT_EQ(priority_from(0, SCHED_OTHER, -20).level, 0U);
  EXPECT_EQ(priority_from(0, SCHED_OTHER, 0), (IoPriority{ServiceClass::best_effort, 4}));
  EXPECT_EQ(priority_from(0, SCHED_OTHER, 19).level, 7U);
  EXPECT_EQ(priority_from(0, SCHED_IDLE, 0).service, ServiceClass::idle);
  EXPECT_EQ(priority_from(0, SCHED_FIFO, 0).service, ServiceClass::realtime);
}

TEST(IoPriority, ALevelScalesTheWeight) {
  EXPECT_EQ(scaled(100, 0), 200);
  EXPECT_EQ(scaled(100, 4), 100);
  EXPECT_EQ(scaled(100, 7), 25);
  EXPECT_EQ(scaled(1, 7), 1);
  EXPECT_EQ(scaled(10000, 0), 10000);
}

TEST(IoPriority, IsAThreadsOwnAndIsFollowed) {
  const engine::ProcDirectory processes("/proc");
  std::thread([&] {
    const auto thread = static_cast<pid_t>(::syscall(SYS_gettid));
    ASSERT_EQ(::syscall(SYS_ioprio_set, 1, 0, set_to(3, 0)), 0);  // of this thread
    EXPECT_EQ(processes.find(thread).priority.service, ServiceClass::idle);
    EXPECT_NE(processes.find(::getpid()).priority.service, ServiceClass::idle);
    ASSERT_EQ(::syscall(SYS_ioprio_set, 1, 0, set_to(2, 6)), 0);
    EXPECT_EQ(processes.find(thread).priority, (IoPriority{ServiceClass::best_effort, 6}));
  }).join();
}

}  // namespace
}  // namespace fairfs::test
