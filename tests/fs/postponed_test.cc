// Look-ups of debtors wait, and nothing else does.
#include "fs/postponed.h"

#include <gtest/gtest.h>
#include <linux/fuse.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kDebtor = 7, kOther = 8;

class PostponedTest : public testing::Test {
 protected:
  PostponedTest() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends.data()), 0);
    kernel_ = fs::UniqueFd{ends[0]};
    device_ = fs::Device::adopt(fs::UniqueFd{ends[1]});
  }
  bool take(std::uint32_t opcode, std::uint32_t caller, std::uint64_t unique = 1, std::uint64_t directory = 1) {
    fuse_in_header header{};
    header.nodeid = directory;
    header.len = sizeof header;
    header.opcode = opcode;
    header.pid = caller;
    header.unique = unique;
    EXPECT_EQ(::write(kernel_.get(), &header, sizeof header), static_cast<ssize_t>(sizeof header));
    EXPECT_EQ(message_.receive(device_, fs::Device::Wait::yes), static_cast<long>(sizeof header));
    return postponed_.take(message_);
  }
  bool wait_for(std::size_t count) {
    std::unique_lock lock{mutex_};
    return changed_.wait_for(lock, 20s, [&] { return answered_.size() >= count; });
  }

  sched::Duration delay_ = 20ms;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<std::uint64_t, Clock::time_point>> answered_;
  fs::UniqueFd kernel_;
  fs::Device device_ = fs::Device::adopt(fs::UniqueFd{});
  fs::Message message_;
  fs::Postponed postponed_{
      [this](const engine::Caller& caller) { return caller.thread == kDebtor ? delay_ : sched::Duration{}; },
      [this](fs::Message& message) {
        const std::lock_guard lock{mutex_};
        answered_.emplace_back(message.header().unique, Clock::now());
        changed_.notify_all();
      }};
};

TEST_F(PostponedTest, LookUpsOfADebtorAreAnsweredLater) {
  const auto before = Clock::now();
  EXPECT_TRUE(take(FUSE_LOOKUP, kDebtor, 1));
  EXPECT_TRUE(take(FUSE_READDIR, kDebtor, 2));
  EXPECT_TRUE(take(FUSE_READDIRPLUS, kDebtor, 3));
  ASSERT_TRUE(wait_for(3));
  const std::lock_guard lock{mutex_};
  for (const auto& [unique, when] : answered_) EXPECT_GE(when - before, delay_);
}

TEST_F(PostponedTest, OthersAreNotAndNothingThatChangesADirectory) {
  EXPECT_FALSE(take(FUSE_LOOKUP, kOther));
  for (const std::uint32_t opcode : {FUSE_UNLINK, FUSE_RMDIR, FUSE_RENAME, FUSE_RENAME2, FUSE_CREATE, FUSE_MKDIR,
                                     FUSE_MKNOD, FUSE_SYMLINK, FUSE_LINK, FUSE_SETATTR, FUSE_OPEN, FUSE_GETATTR}) {
    EXPECT_FALSE(take(opcode, kDebtor)) << opcode;
  }
}

// The kernel holds the directory's lock meanwhile: whoever makes a file there would wait as well.
TEST_F(PostponedTest, NoneWaitsWhereSomebodyElseWorks) {
  constexpr std::uint64_t kOwn = 1, kLookedIn = 2, kWrittenIn = 3;
  EXPECT_FALSE(take(FUSE_LOOKUP, kOther, 1, kLookedIn));
  EXPECT_FALSE(take(FUSE_CREATE, kOther, 2, kWrittenIn));
  EXPECT_FALSE(take(FUSE_UNLINK, kDebtor, 3, kOwn)) << "its own change is nobody else's";
  EXPECT_FALSE(take(FUSE_LOOKUP, kDebtor, 4, kLookedIn));
  EXPECT_FALSE(take(FUSE_READDIR, kDebtor, 5, kWrittenIn));
  EXPECT_TRUE(take(FUSE_LOOKUP, kDebtor, 6, kOwn));
  EXPECT_TRUE(wait_for(1));
}

TEST_F(PostponedTest, TheEndAnswersWhatWaits) {
  delay_ = 24h;
  EXPECT_TRUE(take(FUSE_LOOKUP, kDebtor, 1));
  EXPECT_TRUE(take(FUSE_LOOKUP, kDebtor, 2));
  postponed_.stop();
  EXPECT_EQ(answered_.size(), 2U);
  EXPECT_FALSE(take(FUSE_LOOKUP, kDebtor, 3));
}

}  // namespace
}  // namespace fairfs::test
