// When the kernel's pages may survive an open: git's racy rule, worked through on a clock of our own.
#include "fs/page_record.h"

#include <gtest/gtest.h>

namespace fairfs::fs {
namespace {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr nanoseconds kWritten = seconds{1'700'000'000} + milliseconds{123};

timespec stamp(nanoseconds time) {
  const auto whole = std::chrono::duration_cast<seconds>(time);
  return {.tv_sec = whole.count(), .tv_nsec = static_cast<long>((time - whole).count())};
}

struct stat file(nanoseconds changed, off_t size = 4096) {
  struct stat attributes {};
  attributes.st_size = size;
  attributes.st_mtim = attributes.st_ctim = stamp(changed);
  return attributes;
}

TEST(PageRecord, TheFirstOpenDropsAndTheNextKeeps) {
  PageRecord record;
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + seconds{1}, false));
  EXPECT_TRUE(record.keep(file(kWritten), kWritten + seconds{2}, false));
  EXPECT_TRUE(record.keep(file(kWritten), kWritten + seconds{3}, false));
}

// A second write within the same tick leaves the ctime alone: what was recorded 5 ms after a write proves nothing.
TEST(PageRecord, AYoungChangeIsNotTrusted) {
  PageRecord record;
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + milliseconds{5}, false));
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + seconds{1}, false));  // recorded once more, now old enough
  EXPECT_TRUE(record.keep(file(kWritten), kWritten + seconds{2}, false));
}

TEST(PageRecord, TwentyMillisecondsAreOldEnough) {
  PageRecord at_19_ms, at_20_ms;
  EXPECT_FALSE(at_19_ms.keep(file(kWritten), kWritten + milliseconds{19}, false));
  EXPECT_FALSE(at_20_ms.keep(file(kWritten), kWritten + milliseconds{20}, false));
  EXPECT_FALSE(at_19_ms.keep(file(kWritten), kWritten + seconds{1}, false));
  EXPECT_TRUE(at_20_ms.keep(file(kWritten), kWritten + seconds{1}, false));
}

TEST(PageRecord, CoarseFileSystemsNeedTwoSeconds) {
  PageRecord record;
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + milliseconds{1999}, true));
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + seconds{2}, true));
  EXPECT_TRUE(record.keep(file(kWritten), kWritten + seconds{3}, true));
}

// ext4 with small inodes stamps whole seconds though it is a local file system.
TEST(PageRecord, StampsOfWholeSecondsAreCoarse) {
  constexpr nanoseconds whole = seconds{1'700'000'000};
  PageRecord record;
  EXPECT_FALSE(record.keep(file(whole), whole + milliseconds{500}, false));
  EXPECT_FALSE(record.keep(file(whole), whole + seconds{2}, false));
  EXPECT_TRUE(record.keep(file(whole), whole + seconds{3}, false));
}

TEST(PageRecord, AnyDifferenceDrops) {
  constexpr nanoseconds later = kWritten + seconds{10};
  struct stat other_mtime = file(kWritten), other_ctime = file(kWritten);
  other_mtime.st_mtim = stamp(kWritten - nanoseconds{1});
  other_ctime.st_ctim = stamp(kWritten + nanoseconds{1});
  for (const struct stat& changed : {file(kWritten, 4097), other_mtime, other_ctime}) {
    PageRecord record;
    EXPECT_FALSE(record.keep(file(kWritten), later, false));
    EXPECT_FALSE(record.keep(changed, later, false));
    EXPECT_TRUE(record.keep(changed, later, false));
  }
}

// The clock was set back: a change that lies in the future is not an old one.
TEST(PageRecord, AChangeInTheFutureIsNotTrusted) {
  PageRecord record;
  EXPECT_FALSE(record.keep(file(kWritten), kWritten - seconds{100}, false));
  EXPECT_FALSE(record.keep(file(kWritten), kWritten - seconds{99}, false));
}

TEST(PageRecord, ForgottenMeansDropped) {
  PageRecord record;
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + seconds{1}, false));
  record.forget();
  EXPECT_FALSE(record.keep(file(kWritten), kWritten + seconds{2}, false));
}

}  // namespace
}  // namespace fairfs::fs
