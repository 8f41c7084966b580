#include "sched/dirty_extents.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using sched::DirtyExtents;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kPage = 4096;

TEST(DirtyExtents, CountEachPageOnce) {
  DirtyExtents extents;
  EXPECT_EQ(extents.add(0, 10 * kPage), 10 * kPage);
  EXPECT_EQ(extents.add(0, 10 * kPage), 0U) << "written again";
  EXPECT_EQ(extents.add(5 * kPage, 10 * kPage), 5 * kPage);
  EXPECT_EQ(extents.add(20 * kPage, kPage), kPage);
  EXPECT_EQ(extents.add(10 * kPage, 15 * kPage), 9 * kPage) << "fills the gap of 5 and goes 4 beyond the last";
  EXPECT_EQ(extents.bytes(), 25 * kPage);
}

TEST(DirtyExtents, AByteDirtiesItsPage) {
  DirtyExtents extents;
  EXPECT_EQ(extents.add(100, 0), 0U);
  EXPECT_EQ(extents.add(100, 1), kPage);
  EXPECT_EQ(extents.add(4000, 96), 0U) << "the page's last byte is its 4096th";
  EXPECT_EQ(extents.add(4000, 97), kPage);
  EXPECT_EQ(extents.take(0, kMiB, kMiB).length, 2 * kPage);
}

TEST(DirtyExtents, SaysWhetherAPageIsDirty) {
  DirtyExtents extents;
  extents.add(kMiB - kPage, 2 * kPage);
  EXPECT_FALSE(extents.starts_at(0));
  EXPECT_FALSE(extents.starts_at(kMiB - 2 * kPage));
  EXPECT_TRUE(extents.starts_at(kMiB - kPage));
  EXPECT_TRUE(extents.starts_at(kMiB));
  EXPECT_FALSE(extents.starts_at(kMiB + kPage));
  EXPECT_FALSE(extents.starts_at(2 * kMiB)) << "nothing is dirty in that stretch";
}

TEST(DirtyExtents, AnEndBeyondAllOffsetsIsCut) {
  DirtyExtents extents;
  EXPECT_EQ(extents.add(~std::uint64_t{0} - 10, 100), kPage) << "the last one there is";
  EXPECT_EQ(extents.cut(~std::uint64_t{0} - kPage), kPage);
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
  extents.add(0, kPage);
  extents.add(10 * kPage, kPage);
  extents.add(kMiB, kPage);
  const auto span = extents.take(0, kMiB, kMiB);
  EXPECT_EQ(span.offset, 0U);
  EXPECT_EQ(span.length, 11 * kPage);
  EXPECT_EQ(span.bytes, 2 * kPage) << "the gap is not dirty";
  EXPECT_EQ(extents.bytes(), kPage);
}

TEST(DirtyExtents, TakesNoMoreThanAskedAndGoesRound) {
  DirtyExtents extents;
  extents.add(0, 3 * kPage);
  EXPECT_EQ(extents.take(0, kMiB, kPage).bytes, kPage);
  EXPECT_EQ(extents.take(kPage, kMiB, kMiB).bytes, 2 * kPage);
  extents.add(0, 1);
  EXPECT_EQ(extents.take(3 * kPage, kMiB, kMiB).bytes, kPage) << "nothing behind: from the start again";
  EXPECT_EQ(extents.take(0, kMiB, kMiB).bytes, 0U);
}

TEST(DirtyExtents, CutAsATruncateDoes) {
  DirtyExtents extents;
  extents.add(0, 10 * kPage);
  extents.add(50 * kPage, 10 * kPage);
  EXPECT_EQ(extents.cut(55 * kPage), 5 * kPage);
  EXPECT_EQ(extents.cut(4 * kPage), 11 * kPage);
  EXPECT_EQ(extents.cut(4 * kPage), 0U);
  EXPECT_EQ(extents.cut(3 * kPage + 1), 0U) << "the file still has a byte of the fourth page";
  EXPECT_EQ(extents.bytes(), 4 * kPage);
}

// The oracle is one bit for each page: three stretches, of which the middle one is often clean.
void compare_with_bits(std::uint64_t seed) {
  constexpr std::size_t kPages = 3 * kMiB / kPage, kSize = kPages * kPage;
  std::mt19937_64 random{seed};
  std::bitset<kPages> bits;
  DirtyExtents extents;
  for (int i = 0; i < 20'000; ++i) {
    const std::uint64_t offset = random() % kSize, length = random() % (kSize - offset + 1) % (20 * kPage);
    switch (random() % 8) {
      case 0: {
        const std::uint64_t stretch = kPage << random() % 9, most = kPage + random() % (40 * kPage);
        const auto span = extents.take(offset, stretch, most);
        std::uint64_t from = (offset + kPage - 1) / kPage, dirty = 0;
        while (from < kPages && !bits[from]) ++from;
        if (from >= kPages)
          for (from = 0; from < kPages && !bits[from];) ++from;
        for (std::uint64_t at = span.offset; at < span.offset + span.length; at += kPage) {
          dirty += bits[at / kPage] ? kPage : 0U;
          bits.reset(at / kPage);
        }
        ASSERT_EQ(span.bytes, dirty);
        ASSERT_LE(span.bytes, most);
        if (dirty == 0) break;
        ASSERT_EQ(span.offset, from * kPage);
        ASSERT_EQ((span.offset + span.length - 1) / stretch, span.offset / stretch);
        const std::uint64_t border = (span.offset / stretch + 1) * stretch;
        if (span.bytes + kPage > most) break;
        for (std::uint64_t at = span.offset + span.length; at < border; at += kPage) ASSERT_FALSE(bits[at / kPage]);
        break;
      }
      case 1: {
        if (random() % 20 != 0) break;  // else nothing ever fills up
        std::uint64_t dirty = 0;
        for (std::size_t at = (offset + kPage - 1) / kPage; at < kPages; ++at) {
          dirty += bits[at] ? kPage : 0U;
          bits.reset(at);
        }
        ASSERT_EQ(extents.cut(offset), dirty);
        break;
      }
      default: {
        std::uint64_t fresh = 0;
        for (std::uint64_t at = offset / kPage; at * kPage < offset + length && length != 0; ++at) {
          fresh += bits[at] ? 0U : kPage;
          bits.set(at);
        }
        ASSERT_EQ(extents.add(offset, length), fresh);
      }
    }
    ASSERT_EQ(extents.bytes(), bits.count() * kPage);
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
