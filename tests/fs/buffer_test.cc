#include "fs/buffer.h"

#include <gtest/gtest.h>

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

TEST(BufferPool, KeepsHugeAndOrdinaryPagesApart) {
  constexpr std::size_t kLarge = std::size_t{2} << 20U;
  BufferPool& pool = emptied_pool();
  const char* const data = pool.take(kLarge, Pages::ordinary).data();
  const Buffer huge = pool.take(kLarge);
  EXPECT_NE(huge.data(), data);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(huge.data()) % kLarge, 0u);
  const Buffer again = pool.take(kLarge, Pages::ordinary);
  EXPECT_EQ(again.data(), data);
  EXPECT_EQ(again.pages(), Pages::ordinary);
}

TEST(BufferPool, KeepsABoundedNumber) {
  BufferPool& pool = emptied_pool();
  take_and_give_back(pool, 1000);
  EXPECT_EQ(pool.kept(), std::size_t{32} << 20U);
  emptied_pool();
}

}  // namespace
}  // namespace fairfs::fs
