#include "fs/held_payloads.h"

#include <gtest/gtest.h>

#include <thread>

namespace fairfs::fs {
namespace {

TEST(HeldPayloads, ArePartsThatLive) {
  HeldPayloads& held = HeldPayloads::instance();
  ASSERT_EQ(held.bytes(), 0U);
  {
    HeldPayloads::Part one{1000};
    const HeldPayloads::Part other{std::move(one)};
    EXPECT_EQ(held.bytes(), 1000U);
    HeldPayloads::Part third{500};
    third = HeldPayloads::Part{10};
    EXPECT_EQ(held.bytes(), 1010U);
  }
  EXPECT_EQ(held.bytes(), 0U);
}

TEST(HeldPayloads, WhoeverWaitsForRoomGoesOnWhenSomethingIsGivenBack) {
  HeldPayloads& held = HeldPayloads::instance();
  std::thread waiting;
  {
    const HeldPayloads::Part most{HeldPayloads::kMost};
    EXPECT_TRUE(held.full());
    waiting = std::thread([&] { held.wait_for_room([] { return false; }); });
  }
  waiting.join();
  EXPECT_FALSE(held.full());
}

TEST(HeldPayloads, NobodyWaitsForRoomAtTheEnd) {
  const HeldPayloads::Part most{HeldPayloads::kMost};
  HeldPayloads::instance().wait_for_room([] { return true; });
}

}  // namespace
}  // namespace fairfs::fs
