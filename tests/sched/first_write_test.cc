// The write that is only noted: whatever follows it, all is as if it had been entered at once.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "sched/write_behind.h"
#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::FileId;
using sched::Piece;
using sched::Time;
using sched::WriteBehind;
using sched::WriterId;

constexpr std::uint64_t kPage = 4096, kMiB = std::uint64_t{1} << 20;
constexpr WriterId kOne{1}, kTwo{2};
constexpr FileId kFile{10}, kOther{11};

TEST(FirstWrite, IsLeftToTheFlushThatFollows) {
  WriteBehind policy{{.bytes_per_s = 100 * kMiB}};
  policy.wrote(kOne, kFile, 100, 10, {});
  EXPECT_TRUE(policy.is_dirty(kFile));
  EXPECT_EQ(policy.dirty(), kPage) << "pages are written as a whole";
  EXPECT_TRUE(policy.leave_to_flush(kOther, kMiB)) << "nothing of that one is dirty";
  EXPECT_FALSE(policy.leave_to_flush(kFile, kPage - 1));
  EXPECT_EQ(policy.dirty(kOne), kPage) << "it was too much for a flush";
  EXPECT_TRUE(policy.leave_to_flush(kFile, kPage));
  EXPECT_FALSE(policy.is_dirty(kFile));
  EXPECT_EQ(policy.dirty(), 0U);
  EXPECT_TRUE(policy.writers().empty());
}

TEST(FirstWrite, IsOneOfTheFilesOthersOnceAnotherFollows) {
  WriteBehind policy{{.bytes_per_s = 100 * kMiB}};
  policy.wrote(kOne, kFile, 0, kPage, {});
  policy.wrote(kTwo, kFile, 5 * kPage, kPage, {});
  EXPECT_EQ(policy.dirty(kOne), kPage);
  EXPECT_EQ(policy.dirty(kTwo), kPage);
  EXPECT_FALSE(policy.leave_to_flush(kFile, kPage)) << "of both together";
  EXPECT_TRUE(policy.leave_to_flush(kFile, 2 * kPage));
  EXPECT_EQ(policy.dirty(), 0U);
}

/// Two policies, one of which never only notes a write.
class Twins {
 public:
  explicit Twins(Random& random) : random_(random) {}

  void step() {
    now_ += random_.chance(5) ? sched::Duration{6s} : sched::Duration{1ms};
    const WriterId writer{random_.between(1, 2)};
    const FileId file{random_.between(10, 11)};
    switch (random_.between(0, 9)) {
      case 0:
      case 1:
      case 2:
        return write(writer, file);
      case 3:
        return both([&](WriteBehind& policy) { return policy.leave_to_flush(file, random_piece_); });
      case 4:
        return both([&](WriteBehind& policy) {
          std::vector<std::uint64_t> seen;
          for (const auto& span : policy.take(file, random_piece_)) note(seen, span);
          return seen;
        });
      case 5:
        return both([&](WriteBehind& policy) { return policy.truncate(file, size_), policy.dirty(); });
      case 6:
        return both([&](WriteBehind& policy) { return policy.set_share(writer, 0.3), policy.allowance(writer); });
      case 7:
        return finish();
      default:
        return next(writer);
    }
  }

  void compare() {
    for (const WriterId writer : {kOne, kTwo}) {
      both([&](WriteBehind& policy) { return policy.allowance(writer); });
      both([&](WriteBehind& policy) { return policy.over_allowance(writer); });
      both([&](WriteBehind& policy) { return policy.dirty(writer); });
      both([&](WriteBehind& policy) { return policy.submitted(writer); });
    }
    for (const FileId file : {kFile, kOther}) both([&](WriteBehind& policy) { return policy.is_dirty(file); });
    both([](WriteBehind& policy) { return policy.dirty(); });
    both([](WriteBehind& policy) { return policy.writers().size(); });
    random_piece_ = kPage << random_.between(0, 9);
    size_ = random_.between(0, 3 * kMiB);
  }

 private:
  static void note(std::vector<std::uint64_t>& seen, const sched::DirtyExtents::Span& span) {
    seen.insert(seen.end(), {span.offset, span.length, span.bytes});
  }
  template <typename Ask>
  void both(Ask ask) {
    ASSERT_EQ(ask(noting_), ask(entering_));
    enter();
  }
  /// What a call for a file that nobody has does: nothing but that a noted write is entered.
  void enter() { (void)entering_.take(FileId{99}); }

  void write(WriterId writer, FileId file) {
    const std::uint64_t offset = random_.between(0, 3 * kMiB);
    const std::uint64_t bytes = random_.chance(20) ? random_.between(0, 5 * kMiB) : random_.between(1, 2 * kPage);
    both([&](WriteBehind& policy) { return policy.wrote(writer, file, offset, bytes, now_), policy.dirty(); });
  }
  void next(WriterId writer) {
    std::optional<Piece> last;
    both([&](WriteBehind& policy) {
      last = policy.next(writer, now_);
      std::vector<std::uint64_t> seen{last ? last->bytes : 0};
      for (std::size_t i = 0; last && i < last->spans.size(); ++i) note(seen, last->spans[i].span);
      return seen;
    });
    if (last) pieces_.push_back(*last);
  }
  void finish() {
    if (pieces_.empty()) return;
    both([&](WriteBehind& policy) { return policy.finished(pieces_.back(), false, now_), policy.dirty(); });
    pieces_.pop_back();
  }

  Random& random_;
  WriteBehind noting_{{.bytes_per_s = 30 * kMiB}}, entering_{{.bytes_per_s = 30 * kMiB}};
  std::vector<Piece> pieces_;
  Time now_{};
  std::uint64_t random_piece_ = kPage, size_ = 0;
};

TEST(FirstWrite, ChangesNothing) {
  const auto [first, last] = seeds(300);
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    Twins twins{random};
    for (int i = 0; i < 200; ++i) {
      ASSERT_NO_FATAL_FAILURE(twins.step()) << "step " << i;
      ASSERT_NO_FATAL_FAILURE(twins.compare()) << "after step " << i;
    }
  }
}

}  // namespace
}  // namespace fairfs::test
