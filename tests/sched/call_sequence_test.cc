// The fuzz target's body over a corpus made from seeds, so that every test run takes it along.
#include "tests/sim/call_sequence.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

TEST(CallSequence, RandomCallsKeepTheBooksRight) {
  const auto [first, last] = seeds(300);
  CallCounts sum;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    std::vector<std::uint8_t> bytes(random.between(16, 4096));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.between(0, 255));
    const CallCounts counts = run_call_sequence(bytes);
    sum.dispatched += counts.dispatched;
    sum.promoted += counts.promoted;
    sum.cancelled += counts.cancelled;
    sum.removed += counts.removed;
  }
  if (first == last) return;
  // The corpus reaches every kind of call.
  EXPECT_GT(sum.dispatched, 1000U);
  EXPECT_GT(sum.promoted, 100U);
  EXPECT_GT(sum.cancelled, 100U);
  EXPECT_GT(sum.removed, 100U);
}

TEST(CallSequence, NoBytesAreNoCalls) { EXPECT_EQ(run_call_sequence({}).dispatched, 0U); }

}  // namespace
}  // namespace fairfs::test
