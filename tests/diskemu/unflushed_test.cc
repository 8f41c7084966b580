#include "tests/diskemu/unflushed.h"

#include <gtest/gtest.h>

#include <string>

namespace fairfs::test {
namespace {

class UnflushedTest : public ::testing::Test {
 protected:
  Contents contents{1 << 20, ""};
  Unflushed unflushed;

  UnflushedTest() { unflushed.remember(); }
  void write(std::uint64_t offset, const std::string& text) {
    unflushed.changing(contents, offset, text.size());
    contents.write(text.data(), text.size(), offset);
  }
  std::string read(std::uint64_t offset, std::size_t bytes) { return {contents.at(offset), bytes}; }
};

TEST_F(UnflushedTest, OnlyFlushedWritesSurvive) {
  write(0, "safe");
  unflushed.flushed(unflushed.flushing());
  write(0, "lost");
  write(8192, "gone");
  unflushed.drop(contents);
  EXPECT_EQ(read(0, 4), "safe");
  EXPECT_EQ(read(8192, 4), std::string(4, '\0'));
}

TEST_F(UnflushedTest, AFlushCoversWhatCameBeforeItAndNothingElse) {
  write(0, "one");
  const std::uint64_t mark = unflushed.flushing();
  write(0, "two");
  unflushed.flushed(mark);
  unflushed.drop(contents);
  EXPECT_EQ(read(0, 3), "one");
}

TEST_F(UnflushedTest, AFlushThatWasNotAnsweredMakesNothingSafe) {
  write(0, "one");
  static_cast<void>(unflushed.flushing());
  write(0, "two");
  unflushed.drop(contents);
  EXPECT_EQ(read(0, 3), std::string(3, '\0'));
}

TEST_F(UnflushedTest, OfSeveralFlushesTheLastAnsweredCounts) {
  write(0, "one");
  const std::uint64_t first = unflushed.flushing();
  write(0, "two");
  const std::uint64_t second = unflushed.flushing();
  write(0, "six");
  unflushed.flushed(second);
  unflushed.flushed(first);
  unflushed.drop(contents);
  EXPECT_EQ(read(0, 3), "two");
}

}  // namespace
}  // namespace fairfs::test
