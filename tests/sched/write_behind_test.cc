#include "sched/write_behind.h"

#include <gtest/gtest.h>

#include <chrono>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::FileId;
using sched::Piece;
using sched::Time;
using sched::WriteBehind;
using sched::WriterId;

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20, kPage = 4096;
constexpr WriterId kOne{1}, kTwo{2};
constexpr FileId kFile{10}, kOther{11};
constexpr Time kStart{};

// 100 MiB/s: 200 ms are 20 MiB of dirty bytes for all, 20 ms are 2 MiB in the disk.
class WriteBehindTest : public ::testing::Test {
 protected:
  WriteBehind policy{{.bytes_per_s = 100 * kMiB}};

  std::vector<Piece> pieces_of(WriterId writer, Time now = kStart) {
    std::vector<Piece> pieces;
    while (auto piece = policy.next(writer, now)) pieces.push_back(std::move(*piece));
    return pieces;
  }
  std::uint64_t write_all(WriterId writer, Time now = kStart) {
    std::uint64_t bytes = 0;
    while (auto piece = policy.next(writer, now)) {
      bytes += piece->bytes;
      policy.finished(*piece, false, now);
    }
    return bytes;
  }
};

TEST_F(WriteBehindTest, StartsAtHalfTheAllowance) {
  policy.wrote(kOne, kFile, 0, 10 * kMiB, kStart);
  EXPECT_EQ(policy.allowance(kOne), 20 * kMiB) << "the only writer has the whole";
  EXPECT_TRUE(pieces_of(kOne).empty()) << "exactly half";
  policy.wrote(kOne, kFile, 10 * kMiB, 1, kStart);
  const auto pieces = pieces_of(kOne);
  ASSERT_EQ(pieces.size(), 1U) << "a piece is more than what is too much";
  EXPECT_EQ(pieces[0].bytes, kMiB);
  EXPECT_EQ(pieces[0].spans.front().span.offset, 0U);
}

TEST_F(WriteBehindTest, ThreeMoreThanTheDiskMayHoldAreOnTheWay) {
  policy.wrote(kOne, kFile, 0, 20 * kMiB, kStart);
  EXPECT_EQ(policy.window(), 2 * kMiB);
  const auto pieces = pieces_of(kOne);
  EXPECT_EQ(pieces.size(), 5U);
  EXPECT_EQ(policy.submitted(kOne), 5 * kMiB);
  EXPECT_EQ(policy.dirty(kOne), 20 * kMiB) << "on the way is not yet written";
  policy.finished(pieces[0], false, kStart);
  EXPECT_EQ(policy.dirty(kOne), 19 * kMiB);
  EXPECT_EQ(pieces_of(kOne).size(), 1U);
}

TEST_F(WriteBehindTest, OverTheAllowanceUntilItsOwnPiecesAreWritten) {
  policy.wrote(kOne, kFile, 0, 21 * kMiB, kStart);
  EXPECT_TRUE(policy.over_allowance(kOne));
  const auto pieces = pieces_of(kOne);
  policy.finished(pieces[0], false, kStart);
  EXPECT_FALSE(policy.over_allowance(kOne)) << "20 MiB are allowed";
}

TEST_F(WriteBehindTest, AllowancesFollowSharesAndAddUpToOneTotal) {
  policy.wrote(kOne, kFile, 0, 1, kStart);
  policy.wrote(kTwo, kOther, 0, 1, kStart);
  EXPECT_EQ(policy.allowance(kOne), 10 * kMiB) << "no shares known yet: equal ones";
  policy.set_share(kOne, 0.1);
  policy.set_share(kTwo, 0.9);
  EXPECT_NEAR(static_cast<double>(policy.allowance(kOne)), 2 * kMiB, 1);
  EXPECT_NEAR(static_cast<double>(policy.allowance(kTwo)), 18 * kMiB, 1);
  for (std::uint64_t i = 0; i < 998; ++i) policy.wrote(WriterId{100 + i}, FileId{100 + i}, 0, 1, kStart);
  std::uint64_t total = 0;
  for (const WriterId writer : policy.writers()) total += policy.allowance(writer);
  EXPECT_LE(total, 20 * kMiB) << "a thousand writers dirty no more than one";
  EXPECT_GE(total, 19 * kMiB);
}

TEST_F(WriteBehindTest, WhatIsOldIsWrittenHoweverLittle) {
  policy.wrote(kOne, kFile, 0, 100, kStart);
  policy.wrote(kOne, kOther, 0, 50, kStart + 3s);
  EXPECT_TRUE(pieces_of(kOne, kStart + 4999ms).empty());
  const auto pieces = pieces_of(kOne, kStart + 5s);
  ASSERT_EQ(pieces.size(), 1U);
  EXPECT_EQ(pieces[0].bytes, kPage) << "the other file is 2 s old";
}

TEST_F(WriteBehindTest, SmallFilesShareAPiece) {
  for (std::uint64_t i = 0; i < 100; ++i) policy.wrote(kOne, FileId{i}, 0, 1000, kStart);
  const auto pieces = pieces_of(kOne, kStart + 5s);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0].spans.size(), 64U);
  EXPECT_EQ(pieces[1].spans.size(), 36U);
}

TEST_F(WriteBehindTest, OneFileAsLongAsItLasts) {
  policy.wrote(kOne, kFile, 0, 6 * kMiB, kStart);
  policy.wrote(kOne, kOther, 0, 14 * kMiB, kStart);
  std::uint64_t position = 0;
  for (int i = 0; i < 6; ++i) {
    const auto piece = policy.next(kOne, kStart);
    ASSERT_TRUE(piece);
    EXPECT_EQ(piece->spans.front().file, kFile);
    EXPECT_EQ(piece->spans.front().span.offset, position);
    position += kMiB;
    policy.finished(*piece, false, kStart);
  }
  EXPECT_EQ(policy.next(kOne, kStart)->spans.front().file, kOther);
}

// A fast disk's pieces: 4 MiB, although less would bring the writer below half of its allowance.
TEST_F(WriteBehindTest, AStreamFillsALargePieceAsOneRange) {
  policy.wrote(kOne, kFile, kMiB / 2, 10 * kMiB + 1, kStart);
  const auto piece = policy.next(kOne, kStart, 4 * kMiB);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->bytes, 4 * kMiB);
  ASSERT_EQ(piece->spans.size(), 1U);
  EXPECT_EQ(piece->spans.front().span.offset, kMiB / 2);
  EXPECT_EQ(piece->spans.front().span.length, 4 * kMiB);
  EXPECT_EQ(piece->spans.front().span.bytes, 4 * kMiB);
  EXPECT_FALSE(policy.next(kOne, kStart, 4 * kMiB)) << "6.5 MiB are left of 10 that may be";
}

TEST_F(WriteBehindTest, WhatIsScatteredFillsNoPieceBeyondWhatIsDue) {
  for (std::uint64_t i = 0; i < 3; ++i) policy.wrote(kOne, kFile, i * 8 * kMiB, 4 * kMiB, kStart);
  const auto piece = policy.next(kOne, kStart, 8 * kMiB);
  ASSERT_TRUE(piece);
  EXPECT_EQ(piece->bytes, 4 * kMiB) << "12 MiB were dirty and 10 may be: the next 4 lie elsewhere";
}

TEST_F(WriteBehindTest, AFlushTakesItsFileInPiecesAsLargeAsTheDisksAre) {
  policy.wrote(kOne, kFile, 0, 9 * kMiB, kStart);
  policy.wrote(kOne, kFile, 20 * kMiB, kMiB, kStart);
  const auto spans = policy.take(kFile, 8 * kMiB);
  ASSERT_EQ(spans.size(), 3U);
  EXPECT_EQ(spans[0].length, 8 * kMiB);
  EXPECT_EQ(spans[1].offset, 8 * kMiB);
  EXPECT_EQ(spans[1].length, kMiB);
  EXPECT_EQ(spans[2].offset, 20 * kMiB) << "what lies apart is not joined: it would write what others dirtied between";
}

TEST_F(WriteBehindTest, RewrittenBytesCountOnceAndDroppedOnesNever) {
  for (int i = 0; i < 1000; ++i) policy.wrote(kOne, kFile, 0, kMiB, kStart);
  EXPECT_EQ(policy.dirty(), kMiB);
  policy.truncate(kFile, 4096);
  EXPECT_EQ(policy.dirty(), 4096U);
  policy.truncate(kFile, 0);
  EXPECT_EQ(policy.dirty(), 0U);
  EXPECT_FALSE(policy.is_dirty(kFile));
  EXPECT_TRUE(pieces_of(kOne, kStart + 1h).empty());
}

TEST_F(WriteBehindTest, AFlushTakesEverybodysBytesOfItsFileAndNoOthers) {
  policy.wrote(kOne, kFile, 0, 1000, kStart);
  policy.wrote(kTwo, kFile, 5000, 1000, kStart);
  policy.wrote(kTwo, kOther, 0, 1000, kStart);
  std::uint64_t bytes = 0;
  for (const auto& span : policy.take(kFile)) bytes += span.bytes;
  EXPECT_EQ(bytes, 2 * kPage);
  EXPECT_EQ(policy.dirty(kOne), 0U);
  EXPECT_EQ(policy.dirty(kTwo), kPage);
}

TEST_F(WriteBehindTest, TheRateFollowsTheDisk) {
  // The profile says 100 MiB/s, the disk does 50: 20 ms a piece. Each 200 ms halve the error.
  Time now = kStart;
  policy.wrote(kOne, kFile, 0, 400 * kMiB, now);
  for (int i = 0; i < 50; ++i) {
    const auto piece = policy.next(kOne, now);
    ASSERT_TRUE(piece);
    policy.started(now);
    now += 20ms;
    policy.finished(*piece, true, now);
  }
  // 1 s: 50 + 50 / 2^5.
  EXPECT_NEAR(static_cast<double>(policy.bytes_per_s()) / kMiB, 51.56, 0.1);
  EXPECT_EQ(policy.window(), 2 * kMiB) << "two pieces at least";
}

TEST_F(WriteBehindTest, EverythingIsDueAtTheEnd) {
  policy.wrote(kOne, kFile, 0, 4 * kMiB, kStart);
  policy.wrote(kTwo, kOther, 0, 10, kStart);
  policy.push_all();
  EXPECT_EQ(write_all(kOne), 4 * kMiB);
  EXPECT_EQ(write_all(kTwo), kPage) << "a page is written as a whole";
  EXPECT_EQ(policy.dirty(), 0U);
  EXPECT_TRUE(policy.writers().empty());
}

}  // namespace
}  // namespace fairfs::test
