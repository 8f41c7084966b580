// Guests: let in while the host is no slower, out when it is.
#include "sched/guests.h"

#include <gtest/gtest.h>

#include <chrono>

#include "tests/sched/flat_disk.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Guests;
using sched::kRoot;
using sched::NodeId;
using sched::ServiceClass;
using sched::Time;

class GuestsBeside : public testing::Test {
 protected:
  /// Sixteen requests of the host, each beside as many guests as may be.
  void hosts(sched::Duration service, sched::Duration alone = 100us) {
    while (guests.admits()) {
      guests.started();
      ++inside;
    }
    for (unsigned i = 0; i < sched::kGuestsSamples; ++i) {
      now += 1ms;
      guests.host_met(service, alone, now);
    }
    for (; inside > 0; --inside) guests.ended();
  }
  /// As many requests without.
  void hosts_alone() {
    for (unsigned i = 0; i < sched::kGuestsSamples; ++i) guests.host_alone(true, now += 1ms);
  }

  Guests guests{true};
  Time now{};
  int inside = 0;
};

TEST_F(GuestsBeside, NoneBeforeTheHostIsKnown) {
  EXPECT_FALSE(guests.admits());
  guests.host_alone(false, now);
  EXPECT_FALSE(guests.admits());
  guests.host_alone(true, now);
  EXPECT_TRUE(guests.admits());
}

TEST_F(GuestsBeside, OneMoreForEachVerdictThatTheHostIsNoSlower) {
  hosts_alone();
  for (std::uint32_t verdict = 1; verdict <= 5; ++verdict) {
    EXPECT_EQ(guests.limit(), verdict);
    hosts(103us);
  }
}

TEST_F(GuestsBeside, HalfOfThemWhenItIs) {
  hosts_alone();
  for (int i = 0; i < 7; ++i) hosts(100us);
  EXPECT_EQ(guests.limit(), 8U);
  hosts(104us);
  EXPECT_EQ(guests.limit(), 4U);
  hosts(100us);
  EXPECT_EQ(guests.limit(), 4U);  // a pause of 50 ms
  now += 50ms;
  hosts(100us);
  EXPECT_EQ(guests.limit(), 5U);
}

// Where guests cost, trials become rare: 16 requests of 100 us, then 50, 100, 200 ms ... 2 s of nothing.
TEST_F(GuestsBeside, WhereTheyCostTheyAreTriedLessAndLess) {
  int trials = 0;
  while (now < Time{60s}) {
    hosts_alone();
    if (!guests.admits()) continue;
    ++trials;
    hosts(200us);
  }
  EXPECT_GT(trials, 25);
  EXPECT_LT(trials, 40);
}

TEST_F(GuestsBeside, OutOnceASecondSoThatTheMeanIsOfToday) {
  hosts_alone();
  for (int i = 0; i < 70; ++i) hosts(100us);
  EXPECT_FALSE(guests.admits());
  hosts_alone();
  EXPECT_TRUE(guests.admits());
}

// A disk of four slots and no turns.
class FourSlots : public testing::Test {
 protected:
  FourSlots() : scheduler(flat_disk(1ms, 4)) {
    scheduler.set_class(host, ServiceClass::realtime);
    scheduler.set_class(guest, ServiceClass::idle);
  }
  sched::RequestId submit(NodeId flow) {
    return scheduler.submit({.flow = flow, .cookie = static_cast<std::uint64_t>(flow)}, now);
  }
  [[nodiscard]] bool starts(NodeId flow) {
    const sched::Decision decision = scheduler.next(now);
    const auto* dispatch = std::get_if<sched::Dispatch>(&decision);
    return dispatch != nullptr && dispatch->cookie == static_cast<std::uint64_t>(flow);
  }

  Time now{};
  sched::Scheduler scheduler;
  NodeId host = scheduler.add_flow(kRoot, 100), guest = scheduler.add_flow(kRoot, 100);
};

TEST_F(FourSlots, AloneALowerClassHasThemAll) {
  for (int i = 0; i < 4; ++i) {
    submit(guest);
    EXPECT_TRUE(starts(guest));
  }
}

TEST_F(FourSlots, BesideAHigherOneItWaitsAndALittleLonger) {
  const sched::RequestId request = submit(host);
  submit(guest);
  EXPECT_TRUE(starts(host));
  const sched::Decision wait = scheduler.next(now);
  ASSERT_TRUE(std::holds_alternative<sched::Sleep>(wait));
  EXPECT_EQ(std::get<sched::Sleep>(wait).reason, sched::Sleep::Reason::anticipating);
  scheduler.complete(request, now);
  EXPECT_EQ(std::get<sched::Sleep>(scheduler.next(now)).until, now + sched::kAnticipationMax);
  now += sched::kAnticipationMax;
  EXPECT_TRUE(starts(guest));
}

}  // namespace
}  // namespace fairfs::test
