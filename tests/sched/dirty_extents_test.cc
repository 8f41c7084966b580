#include "sched/dirty_extents.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using sched::DirtyExtents;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20;

TEST(DirtyExtents, CountEachByteOnce) {
  DirtyExtents extents;
  EXPECT_EQ(extents.add(0, 100), 100U);
  EXPECT_EQ(extents.add(0, 100), 0U) << "written again";
  EXPECT_EQ(extents.add(50, 100), 50U);
  EXPECT_EQ(extents.add(200, 10), 10U);
  EXPECT_EQ(extents.add(100, 150), 90U) << "fills the gap of 50 and goes 40 beyond the last";
  EXPECT_EQ(extents.bytes(), 250U);
  EXPECT_EQ(extents.count(), 1U);
}

TEST(DirtyExtents, AnEndBeyondAllOffsetsIsCut) {
  DirtyExtents extents;
  EXPECT_EQ(extents.add(~std::uint64_t{0} - 10, 100), 10U);
}

TEST(DirtyExtents, TakesToTheStretchsBorder) {
  DirtyExtents extents;
  extents.add(kMiB / 2, 2 * kMiB);
  auto span = extents.take(0, kMiB, kMiB);
  EXPECT_EQ(span.offset, kMiB / 2);
  EXPECT_EQ(span.length, kMiB / 2) << "the rest of the first MiB";
  span = extents.take(span.offset + span.length, kMiB, kMiB);
  EXPECT_EQ(span.offset, kMiB);
  EXPECT_EQ(span.length, kMiB);
  EXPECT_EQ(extents.bytes(), kMiB / 2);
}

TEST(DirtyExtents, NeighboursOfOneStretchGoTogether) {
  DirtyExtents extents;
  extents.add(0, 4096);
  extents.add(40960, 4096);
  extents.add(kMiB, 4096);
  const auto span = extents.take(0, kMiB, kMiB);
  EXPECT_EQ(span.offset, 0U);
  EXPECT_EQ(span.length, 45056U);
  EXPECT_EQ(span.bytes, 8192U) << "the gap is not dirty";
  EXPECT_EQ(extents.bytes(), 4096U);
}

TEST(DirtyExtents, TakesNoMoreThanAskedAndGoesRound) {
  DirtyExtents extents;
  extents.add(0, 10'000);
  EXPECT_EQ(extents.take(0, kMiB, 4096).bytes, 4096U);
  EXPECT_EQ(extents.take(4096, kMiB, kMiB).bytes, 5904U);
  extents.add(0, 1);
  EXPECT_EQ(extents.take(10'000, kMiB, kMiB).bytes, 1U) << "nothing behind: from the start again";
  EXPECT_EQ(extents.take(0, kMiB, kMiB).bytes, 0U);
}

TEST(DirtyExtents, CutAsATruncateDoes) {
  DirtyExtents extents;
  extents.add(0, 1000);
  extents.add(5000, 1000);
  EXPECT_EQ(extents.cut(5500), 500U);
  EXPECT_EQ(extents.cut(400), 1100U);
  EXPECT_EQ(extents.cut(400), 0U);
  EXPECT_EQ(extents.bytes(), 400U);
}

// The oracle is one bit for each byte.
void compare_with_bits(std::uint64_t seed) {
  constexpr std::size_t kSize = 4096;
  std::mt19937_64 random{seed};
  std::bitset<kSize> bits;
  DirtyExtents extents;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t offset = random() % kSize, length = random() % (kSize - offset + 1) % 200;
    switch (random() % 8) {
      case 0: {
        const auto span = extents.take(offset, 256, 1 + random() % 300);
        std::uint64_t dirty = 0;
        for (std::uint64_t at = span.offset; at < span.offset + span.length; ++at) {
          dirty += bits[at] ? 1U : 0U;
          bits.reset(at);
        }
        ASSERT_EQ(span.bytes, dirty);
        break;
      }
      case 1: {
        if (random() % 20 != 0) break;  // else nothing ever fills up
        std::uint64_t dirty = 0;
        for (std::size_t at = offset; at < kSize; ++at) {
          dirty += bits[at] ? 1U : 0U;
          bits.reset(at);
        }
        ASSERT_EQ(extents.cut(offset), dirty);
        break;
      }
      default: {
        std::uint64_t fresh = 0;
        for (std::uint64_t at = offset; at < offset + length; ++at) {
          fresh += bits[at] ? 0U : 1U;
          bits.set(at);
        }
        ASSERT_EQ(extents.add(offset, length), fresh);
      }
    }
    ASSERT_EQ(extents.bytes(), bits.count());
  }
}

TEST(DirtyExtents, AgreeWithAMapOfBits) {
  const auto [first, last] = seeds(3);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE(seed);
    ASSERT_NO_FATAL_FAILURE(compare_with_bits(seed));
  }
}

}  // namespace
}  // namespace fairfs::test
