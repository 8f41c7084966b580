#include "fs/reader_pool.h"

#include <gtest/gtest.h>

#include <atomic>

namespace fairfs::fs {
namespace {

/// Counts the threads that a pool starts; each ends at once.
struct Started {
  std::atomic<int> threads{0};
  ReaderPool pool{64, [this] { ++threads; }};
};

// A thread that comes back while nobody else waits is the one that waits: to wake another for it is a burst of threads.
TEST(ReaderPool, TheOnlyOneWaitingGoesOnWaitingAndNobodyIsStarted) {
  Started started;
  started.pool.enter_at_once();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(started.pool.stay());
  started.pool.stop();
  EXPECT_EQ(started.threads, 0);
}

TEST(ReaderPool, TheLastToLeaveStartsAnother) {
  Started started;
  started.pool.enter_at_once();
  started.pool.leave();
  started.pool.stop();
  EXPECT_EQ(started.threads, 1);
}

TEST(ReaderPool, OneTooManyRests) {
  Started started;
  for (int i = 0; i <= ReaderPool::kWaitingMost; ++i) started.pool.enter_at_once();
  EXPECT_FALSE(started.pool.stay());
  EXPECT_TRUE(started.pool.stay());
  EXPECT_FALSE(started.pool.enter()) << "as many wait as are wanted";
}

// Memory had run out for the thread that comes after these: std::terminate instead of a line.
TEST(ReaderPool, OneThatIsNeverStoppedEndsWhoRuns) {
  std::atomic<int> ended{0};
  {
    ReaderPool* running = nullptr;
    ReaderPool pool{64, [&] {
                      while (!running->stopping()) std::this_thread::yield();
                      ++ended;
                    }};
    running = &pool;
    pool.start();
  }
  EXPECT_EQ(ended, ReaderPool::kWaitingMost);
}

// A burst left dozens of threads behind for good, 24 KiB each and what the allocator kept for them.
TEST(ReaderPool, WhoIsNotWantedForLongEndsAndAnotherIsStartedWhenOneIs) {
  std::atomic<int> served{0}, ended{0};
  ReaderPool* running = nullptr;
  ReaderPool pool{64,
                  [&] {
                    if (!running->enter() && !running->park()) {
                      ++ended;
                      return;
                    }
                    ++served;
                    while (!running->stopping()) std::this_thread::yield();
                  },
                  std::chrono::milliseconds{1}};
  running = &pool;
  for (int i = 0; i < ReaderPool::kWaitingMost; ++i) pool.enter_at_once();
  pool.start();
  while (ended < ReaderPool::kWaitingMost) std::this_thread::yield();
  EXPECT_EQ(served, 0);
  for (int i = 0; i < ReaderPool::kWaitingMost; ++i) pool.leave();
  while (served < 1) std::this_thread::yield();
  pool.stop();
  EXPECT_EQ(served, 1);
  EXPECT_EQ(ended, ReaderPool::kWaitingMost);
}

TEST(ReaderPool, NobodyStaysWhenItStops) {
  Started started;
  started.pool.enter_at_once();
  started.pool.stop();
  EXPECT_FALSE(started.pool.stay());
}

}  // namespace
}  // namespace fairfs::fs
