// What is logged of callers that get no more open files.
#include "fs/refusals.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

namespace fairfs::fs {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

TEST(Refusals, AreToldOnceAMinuteAndCounted) {
  const HandleBudget budget{8, 0};
  Refusals refusals;
  const Refusals::Time start{};
  const auto refuse = [&](Refusals::Time now) { return refusals.refused(budget, 1000, ::getpid(), 256, now); };
  const auto first = refuse(start);
  ASSERT_TRUE(first);
  EXPECT_THAT(*first, HasSubstr("user 1000"));
  EXPECT_THAT(*first, HasSubstr("256 now"));
  EXPECT_EQ(refuse(start + 1s), std::nullopt);
  EXPECT_EQ(refuse(start + 59s), std::nullopt);
  const auto second = refuse(start + 60s);
  ASSERT_TRUE(second);
  EXPECT_THAT(*second, HasSubstr("as 2 times"));
}

TEST(Refusals, NameTheCommandAndWhatTheUserHas) {
  std::ifstream file{"/proc/self/comm"};
  std::string command;
  std::getline(file, command);
  HandleBudget budget{16, 0};
  const HandleSeat one = budget.take(1000), two = budget.take(1000);
  Refusals refusals;
  EXPECT_THAT(refusals.refused(budget, 1000, ::getpid(), 256, {}).value_or(""),
              HasSubstr("user 1000 (" + command + ") has 2 of the mount's 16 "));
}

}  // namespace
}  // namespace fairfs::fs
