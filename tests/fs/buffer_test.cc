#include "fs/buffer.h"

#include <gtest/gtest.h>

#include <new>
#include <vector>

namespace fairfs::fs {
namespace {

constexpr std::size_t kSize = 64 * 1024;

/// Nothing of it kept that an earlier test left.
BufferPool& emptied_pool() {
  BufferPool& pool = BufferPool::instance();
  for (int i = 0; i < 2; ++i) pool.trim();
  return pool;
}

void take_and_give_back(BufferPool& pool, int count) {
  std::vector<Buffer> buffers;
  for (int i = 0; i < count; ++i) buffers.push_back(pool.take(kSize));
}

TEST(BufferPool, KeepsWhatIsGivenBackAndHandsItOutAgain) {
  BufferPool& pool = emptied_pool();
  ASSERT_EQ(pool.kept(), 0u);
  take_and_give_back(pool, 3);
  EXPECT_EQ(pool.kept(), 3 * kSize);
  const Buffer buffer = pool.take(kSize - 1);
  EXPECT_EQ(buffer.capacity(), kSize);
  EXPECT_EQ(pool.kept(), 2 * kSize);
}

// After a burst of ten, two at a time are needed.
TEST(BufferPool, TrimsWhatWasNotNeededSinceTheLastTime) {
  BufferPool& pool = emptied_pool();
  take_and_give_back(pool, 10);
  pool.trim();
  EXPECT_EQ(pool.kept(), 10 * kSize);
  take_and_give_back(pool, 2);
  take_and_give_back(pool, 1);
  pool.trim();
  EXPECT_EQ(pool.kept(), 2 * kSize);
  take_and_give_back(pool, 2);
  pool.trim();
  EXPECT_EQ(pool.kept(), 2 * kSize);
  pool.trim();
  EXPECT_EQ(pool.kept(), 0u);
}

// Whoever takes ordinary pages expects them untouched.
TEST(BufferPool, KeepsHugePagesOnly) {
  constexpr std::size_t kLarge = std::size_t{2} << 20U;
  BufferPool& pool = emptied_pool();
  {
    const Buffer ordinary = pool.take(kLarge, Pages::ordinary);
    EXPECT_EQ(ordinary.pages(), Pages::ordinary);
    *ordinary.data() = 'x';
  }
  EXPECT_EQ(pool.kept(), 0u);
  EXPECT_EQ(*pool.take(kLarge, Pages::ordinary).data(), 0);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(pool.take(kLarge).data()) % kLarge, 0u);
  EXPECT_EQ(pool.kept(), kLarge);
  emptied_pool();
}

TEST(BufferPool, KeepsABoundedNumber) {
  BufferPool& pool = emptied_pool();
  take_and_give_back(pool, 1000);
  EXPECT_EQ(pool.kept(), std::size_t{32} << 20U);
  emptied_pool();
}

// The only memory that the next request can come in must not stay with whoever came first.
TEST(BufferPool, ASpareIsLaidByAgain) {
  BufferPool& pool = BufferPool::instance();
  pool.lay_by(1, 3 << 20);
  for (int round = 0; round < 3; ++round) {
    const Buffer spare = pool.take_spare(3 << 20);
    spare.data()[spare.capacity() - 1] = 'x';
    EXPECT_TRUE(pool.is_short());
    EXPECT_THROW((void)pool.take_spare(3 << 20), std::bad_alloc);
  }
  EXPECT_FALSE(pool.is_short());
}

}  // namespace
}  // namespace fairfs::fs
